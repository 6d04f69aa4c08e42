import * as Flags from '@oclif/core/flags';
import { targetFlags } from '../flags.js';

const expression = (description: string) => Flags.string({ description, helpGroup: 'FILTER' });

export const subscriptionFlags = {
  ...targetFlags,
  events: expression('type of the event'),
  tag: expression('tag of the message'),
  topics: expression('one of the topics of the message'),
  author: expression('author of the message (a DID)'),
  group: expression('group of the message (its hash)'),
  first: Flags.string({ default: 'newest', description: 'oldest, newest, or the sequence of the last one seen' }),
  'read-ahead': Flags.integer({ min: 0, max: 65_535, description: 'number of unacknowledged events; default: 0' }),
  transport: Flags.option({ options: ['websockets', 'webhooks'] as const })({
    description: 'default: websockets, with --endpoint webhooks',
  }),
  endpoint: Flags.string({ description: 'URL of a webhook' }),
  'with-data': Flags.boolean({ description: 'post the values of each message instead of the event' }),
  replace: Flags.boolean({ description: 'replace an existing subscription; it keeps its position' }),
};

import * as Flags from '@oclif/core/flags';
import { listFlags, tableFlags, targetFlags, timeoutFlag } from '../../flags.js';

const filter = (description: string) => Flags.string({ description, helpGroup: 'FILTER' });

export const messageListFlags = {
  ...targetFlags,
  ...tableFlags,
  ...listFlags,
  pending: Flags.boolean({
    description: 'only pending messages',
    exclusive: ['confirmed'],
    helpGroup: 'FILTER',
  }),
  confirmed: Flags.boolean({ description: 'only confirmed messages', helpGroup: 'FILTER' }),
  tag: filter('tag'),
  topic: filter('one of the topics of the message'),
  type: filter('broadcast, private or definition'),
  author: filter('name, DID or key'),
  group: filter('hash of the group, or its start'),
  since: filter('created within the last 5m, 2h, …, or after a time'),
  'with-data': Flags.boolean({ description: 'include the values' }),
};

export const watchFlags = { ...targetFlags, timeout: timeoutFlag('30s') };

import * as Flags from '@oclif/core/flags';
import { followFlags, listFlags, tableFlags, targetFlags } from '../flags.js';

const filter = (description: string) => Flags.string({ description, helpGroup: 'FILTER' });

export const eventListFlags = {
  ...targetFlags,
  ...tableFlags,
  ...listFlags,
  since: filter('after a sequence number, within the last 5m, 2h, …, or after a time'),
  type: filter('type of the event'),
  topic: filter('one of the topics of the message'),
  'with-data': Flags.boolean({ description: 'include the values of the messages' }),
};

export const forwardFlags = {
  ...followFlags,
  to: Flags.string({ required: true, description: 'target URL, such as http://127.0.0.1:8080/events' }),
  'with-data': Flags.boolean({ description: 'include the values of each message, as stack.data' }),
  'print-body': Flags.boolean({ description: 'also print the responses' }),
};

export const tailFlags = {
  ...followFlags,
  lines: Flags.integer({
    char: 'n',
    min: 0,
    max: 1_000,
    exclusive: ['since', 'durable'],
    helpGroup: 'START',
    description: 'print this number of past events first',
  }),
  'no-ack': Flags.boolean({
    dependsOn: ['durable'],
    exclusive: ['exec'],
    helpGroup: 'DURABLE',
    description: 'acknowledge nothing; prints at most the read-ahead of the subscription',
  }),
  until: Flags.string({ description: 'exit after an event with field=value: type, tag, topic, author, group or id' }),
  'with-data': Flags.boolean({ description: 'include the values of each message' }),
  format: Flags.option({ options: ['short', 'json'] as const, default: 'short', description: 'format of a line' })(),
  exec: Flags.string({ description: 'run this command for each event, with its JSON on stdin' }),
};

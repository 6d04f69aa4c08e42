import * as Flags from '@oclif/core/flags';
import { followFlags, listFlags, tableFlags, targetFlags } from '../flags.js';

const filter = (description: string) => Flags.string({ description, helpGroup: 'FILTER' });

/** Flags of `stack events list`. */
export const eventListFlags = {
  ...targetFlags,
  ...tableFlags,
  ...listFlags,
  since: filter('behind a sequence number, from the last 5m, 2h, …, or after a time'),
  type: filter('type of the event'),
  topic: filter('any topic of the message'),
  'with-data': Flags.boolean({ description: 'with the values of their messages' }),
};

/** Flags of `stack events forward`. */
export const forwardFlags = {
  ...followFlags,
  to: Flags.string({ required: true, description: 'where to post, such as http://127.0.0.1:8080/events' }),
  'with-data': Flags.boolean({ description: 'with the values of each message, in the member stack.data' }),
  'print-body': Flags.boolean({ description: 'print what is answered too' }),
};

/** Flags of `stack events tail`. */
export const tailFlags = {
  ...followFlags,
  lines: Flags.integer({
    char: 'n',
    min: 0,
    max: 1_000,
    exclusive: ['since', 'durable'],
    helpGroup: 'START',
    description: 'the last so many matching events first, of all parties together',
  }),
  'no-ack': Flags.boolean({
    dependsOn: ['durable'],
    exclusive: ['exec'],
    helpGroup: 'DURABLE',
    description: 'acknowledge nothing: shows at most what the subscription reads ahead',
  }),
  until: Flags.string({ description: 'leave after field=value: type, tag, topic, author, group or id' }),
  'with-data': Flags.boolean({ description: 'read the values of each message too' }),
  format: Flags.option({ options: ['short', 'json'] as const, default: 'short', description: 'form of a line' })(),
  exec: Flags.string({ description: 'run this for each event, with its JSON on stdin' }),
};

import * as Flags from '@oclif/core/flags';
import { listFlags, tableFlags, targetFlags, timeoutFlag } from '../../flags.js';

const filter = (description: string) => Flags.string({ description, helpGroup: 'FILTER' });

/** Flags of `stack messages list`. */
export const messageListFlags = {
  ...targetFlags,
  ...tableFlags,
  ...listFlags,
  pending: Flags.boolean({
    description: 'only those that are not decided yet',
    exclusive: ['confirmed'],
    helpGroup: 'FILTER',
  }),
  confirmed: Flags.boolean({ description: 'only those that are confirmed', helpGroup: 'FILTER' }),
  tag: filter('tag'),
  topic: filter('one of its topics'),
  type: filter('broadcast, private or definition'),
  author: filter('name, DID or key'),
  group: filter('hash of the group, or the first characters of it'),
  since: filter('created in the last 5m, 2h, …, or after a time'),
  'with-data': Flags.boolean({ description: 'with their values' }),
};

/** Flags of `stack messages watch`. */
export const watchFlags = { ...targetFlags, timeout: timeoutFlag('30s') };

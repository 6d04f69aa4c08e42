import * as Flags from '@oclif/core/flags';
import { confirmFlags, progressFlags, stackFlags, startTimeoutFlag, timeoutFlag } from '../../flags.js';

/** Flags of `stack restart`. */
export const restartFlags = {
  ...stackFlags,
  party: Flags.string({ char: 'p', description: 'only the node of this party, or another service' }),
  timeout: startTimeoutFlag,
  ...progressFlags,
};

/** Flags of `stack stop`. */
export const stopFlags = {
  ...stackFlags,
  all: Flags.boolean({ description: 'every stack' }),
  party: Flags.string({ char: 'p', description: 'only the node of this party, or another service' }),
  timeout: timeoutFlag('10s'),
};

/** Flags of `stack reset`. */
export const resetFlags = {
  ...stackFlags,
  ...confirmFlags,
  to: Flags.string({ description: 'go back to this snapshot instead of the beginning', exclusive: ['dry-run'] }),
  'no-restart': Flags.boolean({ description: 'leave it stopped' }),
  'dry-run': Flags.boolean({ description: 'say what would be freed, delete nothing' }),
  timeout: startTimeoutFlag,
  ...progressFlags,
};

/** Flags of `stack remove`. */
export const removeFlags = {
  ...stackFlags,
  ...confirmFlags,
  all: Flags.boolean({ description: 'every stack' }),
  'keep-snapshots': Flags.boolean({ description: 'write its snapshots, with their keys, to archives first' }),
  force: Flags.boolean({ description: 'end processes at once' }),
};

/** Flags of `stack start`. */
export const startFlags = {
  ...stackFlags,
  ...confirmFlags,
  timeout: startTimeoutFlag,
  'no-wait': Flags.boolean({ description: 'return when the supervisor runs' }),
  init: Flags.string({ description: 'make it from this template if it is missing' }),
  fresh: Flags.boolean({ description: 'reset it first; needs --yes' }),
  'from-snapshot': Flags.string({ description: 'go back to this snapshot first', exclusive: ['fresh', 'init'] }),
  'reassign-ports': Flags.boolean({ description: 'choose new ports' }),
  host: Flags.string({ description: 'address for the nodes to listen on; beyond loopback it takes auth' }),
  smoke: Flags.boolean({ allowNo: true, description: 'send a message that must be confirmed everywhere' }),
  'no-hooks': Flags.boolean({ description: 'run no command of hooks.ready' }),
  foreground: Flags.boolean({ char: 'F', description: 'print its logs, and stop it on Ctrl-C' }),
  open: Flags.boolean({ description: 'open the explorer of the first party' }),
  external: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    description: 'leave the node of this party to you, for a debugger; may be repeated',
  }),
  ...progressFlags,
};

/** Flags of `stack upgrade`. */
export const upgradeFlags = {
  ...stackFlags,
  'dry-run': Flags.boolean({ description: 'say what would be done, change nothing' }),
  'no-snapshot': Flags.boolean({ description: 'save none: you have a copy' }),
  timeout: startTimeoutFlag,
  ...progressFlags,
};

import * as Flags from '@oclif/core/flags';
import { confirmFlags, progressFlags, stackFlags, startTimeoutFlag, timeoutFlag } from '../../flags.js';

export const restartFlags = {
  ...stackFlags,
  party: Flags.string({ char: 'p', description: 'only the node of this party, or another service' }),
  timeout: startTimeoutFlag,
  ...progressFlags,
};

export const stopFlags = {
  ...stackFlags,
  all: Flags.boolean({ description: 'all stacks' }),
  party: Flags.string({ char: 'p', description: 'only the node of this party, or another service' }),
  timeout: timeoutFlag('10s'),
};

export const resetFlags = {
  ...stackFlags,
  ...confirmFlags,
  to: Flags.string({ description: 'restore this snapshot instead of an empty history', exclusive: ['dry-run'] }),
  'no-restart': Flags.boolean({ description: 'do not start the stack again' }),
  'dry-run': Flags.boolean({ description: 'show what would be deleted' }),
  timeout: startTimeoutFlag,
  ...progressFlags,
};

export const removeFlags = {
  ...stackFlags,
  ...confirmFlags,
  all: Flags.boolean({ description: 'all stacks' }),
  'keep-snapshots': Flags.boolean({ description: 'export its snapshots, with keys, to archives first' }),
  force: Flags.boolean({ description: 'kill processes at once' }),
};

export const startFlags = {
  ...stackFlags,
  ...confirmFlags,
  timeout: startTimeoutFlag,
  'no-wait': Flags.boolean({ description: 'do not wait: return when the supervisor runs' }),
  init: Flags.string({ description: 'create the stack from this template if it is missing' }),
  fresh: Flags.boolean({ description: 'reset the stack first; requires --yes' }),
  'from-snapshot': Flags.string({ description: 'restore this snapshot first', exclusive: ['fresh', 'init'] }),
  'reassign-ports': Flags.boolean({ description: 'choose new ports' }),
  host: Flags.string({ description: 'address for the nodes to listen on; requires auth beyond loopback' }),
  smoke: Flags.boolean({ allowNo: true, description: 'check the network with a message' }),
  'no-hooks': Flags.boolean({ description: 'do not run hooks.ready' }),
  foreground: Flags.boolean({ char: 'F', description: 'run in the foreground: print the logs, stop on Ctrl-C' }),
  open: Flags.boolean({ description: 'open the explorer of the first party' }),
  external: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    description: 'do not start the node of this party: run it yourself, in a debugger; may be repeated',
  }),
  ...progressFlags,
};

export const upgradeFlags = {
  ...stackFlags,
  'dry-run': Flags.boolean({ description: 'show what would be done' }),
  'no-snapshot': Flags.boolean({ description: 'save no snapshot' }),
  timeout: startTimeoutFlag,
  ...progressFlags,
};

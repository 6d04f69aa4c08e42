import * as Flags from '@oclif/core/flags';
import { progressFlags, startTimeoutFlag } from '../flags.js';

/** Flags of `stack run`. */
export const runFlags = {
  template: Flags.string({ char: 't', description: 'default, minimal, tokens, ci, or the path of one' }),
  parties: Flags.string({ char: 'n', description: 'how many, or their names: 3 or alice,bob' }),
  set: Flags.string({ multiple: true, multipleNonGreedy: true, description: 'a setting: dotted.path=value' }),
  timeout: startTimeoutFlag,
  smoke: Flags.boolean({ allowNo: true, description: 'send a message that must be confirmed everywhere' }),
  dump: Flags.string({ description: 'after a failure, write logs and state below this directory' }),
  'keep-on-failure': Flags.boolean({ description: 'after a failure, keep the network as a stack' }),
  ...progressFlags,
};

import * as Flags from '@oclif/core/flags';
import { progressFlags, startTimeoutFlag } from '../flags.js';

export const runFlags = {
  template: Flags.string({ char: 't', description: 'name or path of a template; see template list' }),
  parties: Flags.string({ char: 'n', description: 'number or names of parties: 3, or alice,bob' }),
  set: Flags.string({ multiple: true, multipleNonGreedy: true, description: 'setting, as dotted.path=value' }),
  timeout: startTimeoutFlag,
  smoke: Flags.boolean({ allowNo: true, description: 'check the network with a message' }),
  dump: Flags.string({ description: 'write logs and state to this directory after a failure' }),
  'keep-on-failure': Flags.boolean({ description: 'keep the network as a stack after a failure' }),
  ...progressFlags,
};

import * as Flags from '@oclif/core/flags';
import { authorFlags, targetFlags, waitFlags } from '../flags.js';

export const datatypeFlags = {
  ...targetFlags,
  name: Flags.string({ description: 'name of the datatype; default: from a file name such as order-1.0.json' }),
  version: Flags.string({ description: 'version of the datatype; default: from the file name' }),
  ...authorFlags,
  ...waitFlags,
};

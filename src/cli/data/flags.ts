import * as Flags from '@oclif/core/flags';
import { progressFlags, targetFlags } from '../flags.js';

export const uploadFlags = {
  ...targetFlags,
  value: Flags.string({ description: 'value, with or without a file: JSON, text, @FILE or - for stdin' }),
  name: Flags.string({ description: "name of the file; default: its own name, or 'stdin'" }),
  datatype: Flags.string({ description: 'name@version that the value must conform to' }),
  autometa: Flags.boolean({
    allowNo: true,
    default: true,
    description: 'add name, type and size of the file to the value',
  }),
  ...progressFlags,
};

export const downloadFlags = {
  ...targetFlags,
  output: Flags.string({ char: 'o', description: 'file or directory to write to; - for stdout' }),
  ...progressFlags,
};

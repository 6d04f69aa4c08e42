import * as Flags from '@oclif/core/flags';
import { progressFlags, targetFlags } from '../flags.js';

/** Flags of `stack data upload`. */
export const uploadFlags = {
  ...targetFlags,
  value: Flags.string({ description: 'JSON, text, @FILE or - for stdin: the value, beside a file or alone' }),
  name: Flags.string({ description: "what the file is called; default: its own name, or 'stdin'" }),
  datatype: Flags.string({ description: 'name@version that the value must conform to' }),
  autometa: Flags.boolean({ allowNo: true, default: true, description: 'describe the file by name, type and size' }),
  ...progressFlags,
};

/** Flags of `stack data download`. */
export const downloadFlags = {
  ...targetFlags,
  output: Flags.string({ char: 'o', description: 'file or directory to write to; - for stdout' }),
  ...progressFlags,
};

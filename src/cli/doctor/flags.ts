import * as Flags from '@oclif/core/flags';

/** Flags of `stack doctor`. */
export const doctorFlags = { fix: Flags.boolean({ description: 'remove stale files and processes' }) };

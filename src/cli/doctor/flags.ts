import * as Flags from '@oclif/core/flags';

export const doctorFlags = { fix: Flags.boolean({ description: 'remove stale files and processes' }) };

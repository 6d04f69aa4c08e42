import * as Flags from '@oclif/core/flags';
import { stackFlags } from '../flags.js';

export const dumpFlags = {
  ...stackFlags,
  events: Flags.integer({ min: 0, max: 1_000, default: 1_000, description: 'number of newest events of each party' }),
  tar: Flags.boolean({ description: 'write one .tar.gz instead of a directory' }),
};

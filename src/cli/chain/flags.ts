import * as Flags from '@oclif/core/flags';
import { targetFlags, timeoutFlag } from '../flags.js';

/** Flags of `stack chain deploy`. */
export const deployFlags = {
  ...targetFlags,
  contract: Flags.string({ description: 'which of several contracts in the file, as Name or file:Name' }),
  from: Flags.string({ description: "signing key of this node, or whose it is; default: the organisation's" }),
  timeout: timeoutFlag('30s'),
};

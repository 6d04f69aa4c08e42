import * as Flags from '@oclif/core/flags';
import { targetFlags, timeoutFlag } from '../flags.js';

export const deployFlags = {
  ...targetFlags,
  contract: Flags.string({ description: 'contract in the file, as Name or file:Name' }),
  from: Flags.string({ description: "signing key of this node, or its owner; default: the organisation's" }),
  timeout: timeoutFlag('30s'),
};

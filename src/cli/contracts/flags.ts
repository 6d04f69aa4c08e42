import * as Flags from '@oclif/core/flags';
import { filled, targetFlags, timeoutFlag, waitFlags } from '../flags.js';

export const listenFlags = {
  ...targetFlags,
  name: Flags.string({ description: 'name of the listener' }),
  topic: Flags.string({ description: 'topic of the events', default: 'contracts' }),
  first: Flags.string({ description: 'oldest, newest, or the number of the first block', default: 'newest' }),
};

export const callFlags = {
  ...targetFlags,
  key: Flags.string({ description: "signing key of this node, or its owner; default: the organisation's" }),
  value: Flags.string({ description: 'wei to send with the call' }),
  idempotent: Flags.string({ ...filled, description: 'idempotency key: the node refuses a repetition' }),
  'no-wait': Flags.boolean({ description: 'do not wait: return when the node has accepted it' }),
  timeout: timeoutFlag('30s'),
};

export const defineContractFlags = {
  ...targetFlags,
  name: Flags.string({ description: 'name of the interface and the contract API', required: true }),
  contract: Flags.string({ description: 'contract in the file, as Name or file:Name' }),
  version: Flags.string({ description: 'version of the interface', default: '1.0' }),
  address: Flags.string({ description: 'address of the contract' }),
  publish: Flags.boolean({ allowNo: true, default: true, description: 'share it with all parties' }),
  ...waitFlags,
};

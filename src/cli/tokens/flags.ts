import * as Flags from '@oclif/core/flags';
import { filled, listFlags, tableFlags, targetFlags, timeoutFlag, waitFlags } from '../flags.js';

export const approveFlags = {
  ...targetFlags,
  pool: Flags.string({ description: 'name or id of the pool; default: the only one' }),
  revoke: Flags.boolean({ description: 'revoke the approval' }),
  key: Flags.string({ description: "signing key of this node, or its owner; default: the organisation's" }),
  'no-wait': Flags.boolean({ description: 'do not wait: return when the node has accepted it' }),
  timeout: timeoutFlag('30s'),
};

export const balanceFlags = {
  ...targetFlags,
  ...tableFlags,
  ...listFlags,
  pool: Flags.string({ description: 'name or id of a pool', helpGroup: 'FILTER' }),
  key: Flags.string({ description: 'party, organisation, DID or address', helpGroup: 'FILTER' }),
};

export const transferListFlags = {
  ...targetFlags,
  ...tableFlags,
  ...listFlags,
  pool: Flags.string({ description: 'name or id of a pool', helpGroup: 'FILTER' }),
  from: Flags.string({ description: 'party, organisation, DID or address', helpGroup: 'FILTER' }),
  to: Flags.string({ description: 'party, organisation, DID or address', helpGroup: 'FILTER' }),
  message: Flags.string({ description: 'id of the attached message, or its start', helpGroup: 'FILTER' }),
};

export const poolFlags = {
  ...targetFlags,
  type: Flags.option({
    options: ['fungible', 'nonfungible'] as const,
    description: 'type of its tokens',
    required: true,
  })(),
  connector: Flags.string({ description: 'token connector; required if the node has several' }),
  config: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    description: 'key=value for the connector; may be repeated',
  }),
  symbol: Flags.string({ description: 'symbol of the token' }),
  key: Flags.string({ description: 'signing key of this node, or its owner: the only key that may mint' }),
  publish: Flags.boolean({ allowNo: true, default: true, description: 'share it with all parties' }),
  ...waitFlags,
  idempotent: Flags.string({ ...filled, description: 'idempotency key: the node refuses a repetition' }),
};

import { type Static, Type } from '@sinclair/typebox';
import { PrivateRequest } from './messages/message.js';
import { Address, Hash, type JsonText, nameRule, nullable, oneOf, Raw, Time, Uuid } from './scalar.js';

export const TokenType = oneOf(['fungible', 'nonfungible']);
export type TokenType = Static<typeof TokenType>;

const Digits = (description: string) => Type.String({ pattern: '^[0-9]+$', description });
const amount = Digits('whole number of the smallest unit, decimal digits');
const tokenIndex = Type.Optional(Digits('of a non-fungible token, decimal digits'));

/** The transaction of a token record. */
export const TransactionReference = Type.Object({ type: Type.String(), id: Type.Optional(Uuid) });

/** A token pool (docs/api.md §19.1). */
export const TokenPool = Type.Object({
  id: Uuid,
  type: TokenType,
  namespace: Type.String(),
  name: Type.String(),
  networkName: Type.Optional(Type.String()),
  standard: Type.Optional(Type.String()),
  locator: Type.Optional(Type.String({ description: 'its place on the chain, in the format of its connector' })),
  key: Type.Optional(Type.String({ description: 'who created it' })),
  symbol: Type.Optional(Type.String()),
  decimals: Type.Optional(Type.Integer()),
  connector: Type.String(),
  message: Type.Optional(Uuid),
  active: Type.Boolean({ description: 'its events are followed here' }),
  created: Time,
  info: Type.Optional(Raw),
  tx: Type.Optional(TransactionReference),
  interface: Type.Optional(Type.Object({ id: Uuid })),
  interfaceFormat: Type.Optional(Type.String()),
  methods: Type.Optional(Raw),
  published: Type.Boolean(),
});
export type TokenPool = Static<typeof TokenPool>;

/** The last members of operation records: the objects that caused them. */
const origin = {
  message: Type.Optional(Uuid),
  messageHash: Type.Optional(Hash),
  created: Type.Optional(Time),
  tx: Type.Optional(TransactionReference),
  blockchainEvent: Type.Optional(Uuid),
};

/** A mint, transfer or burn (docs/api.md §19.2). */
export const TokenTransfer = Type.Object({
  type: oneOf(['mint', 'transfer', 'burn']),
  localId: Uuid,
  pool: Uuid,
  tokenIndex,
  uri: Type.Optional(Type.String()),
  connector: Type.String(),
  namespace: Type.String(),
  key: Type.String({ description: 'who signed it' }),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  amount,
  protocolId: Type.Optional(Type.String({ description: 'its place on the chain, the same at every node' })),
  ...origin,
});
export type TokenTransfer = Static<typeof TokenTransfer>;

/** An account's approval of an operator, or its revocation (docs/api.md §19.2). */
export const TokenApproval = Type.Object({
  localId: Uuid,
  pool: Uuid,
  connector: Type.String(),
  key: Type.String({ description: 'whose tokens' }),
  operator: Type.String(),
  approved: Type.Boolean(),
  info: Type.Optional(Raw),
  namespace: Type.String(),
  protocolId: Type.Optional(Type.String()),
  subject: Type.Optional(Type.String()),
  active: Type.Optional(Type.Boolean({ description: 'whether no newer one has the same subject' })),
  ...origin,
});
export type TokenApproval = Static<typeof TokenApproval>;

/** The balance of a key in a pool, or of one token of the pool (docs/api.md §19.4). */
export const TokenBalance = Type.Object({
  pool: Uuid,
  tokenIndex,
  uri: Type.Optional(Type.String()),
  connector: Type.String(),
  namespace: Type.String(),
  key: Type.String(),
  balance: Type.String({
    pattern: '^-?[0-9]+$',
    description: 'whole number of the smallest unit, decimal digits; negative if tokens came without an event',
  }),
  updated: Time,
});
export type TokenBalance = Static<typeof TokenBalance>;

export const TokenAccount = Type.Object({ key: Type.String() });
export type TokenAccount = Static<typeof TokenAccount>;
export const TokenAccountPool = Type.Object({ pool: Uuid });
export type TokenAccountPool = Static<typeof TokenAccountPool>;
export const TokenConnectorName = Type.Object({ name: Type.String() });
export type TokenConnectorName = Static<typeof TokenConnectorName>;

const idempotencyKey = Type.Optional(Type.String({ description: 'at most 256 characters; a second use is 409' }));
const signingKey = Type.Optional(Type.String({ description: "signing key of this node; default: the organisation's" }));
const config = Type.Optional(Raw);

export const PoolRequest = Type.Object({
  name: Type.Optional(Type.String({ description: nameRule })),
  type: Type.Optional(Type.String({ description: 'fungible or nonfungible' })),
  connector: Type.Optional(Type.String({ description: 'required when there are several' })),
  config,
  key: signingKey,
  symbol: Type.Optional(Type.String()),
  interface: Type.Optional(
    Type.Object({
      id: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
      version: Type.Optional(Type.String()),
    }),
  ),
  interfaceFormat: Type.Optional(Type.String()),
  networkName: Type.Optional(Type.String()),
  idempotencyKey,
});
export type PoolRequest = Static<typeof PoolRequest>;

export const PublishRequest = Type.Object({ networkName: Type.Optional(Type.String()), idempotencyKey });
export type PublishRequest = Static<typeof PublishRequest>;

/** A message attached to an operation, in the form of a send or a broadcast (docs/protocol.md §13.1). */
export const AttachedMessage = PrivateRequest;
export type AttachedMessage = PrivateRequest;

export const TransferRequest = Type.Object({
  amount: Type.Optional(
    Type.Unsafe<JsonText>({ ...Raw, description: 'whole number of the smallest unit: 5, "5" or "0x5"; no fractions' }),
  ),
  pool: Type.Optional(Type.String({ description: 'name or id; required when there are several' })),
  tokenIndex: Type.Optional(Raw),
  uri: Type.Optional(Type.String()),
  key: signingKey,
  from: Type.Optional(Type.String({ description: 'key, organisation name or DID; default: key' })),
  to: Type.Optional(Type.String({ description: 'key, organisation name or DID; of a mint by default: key' })),
  config,
  message: Type.Optional(AttachedMessage),
  idempotencyKey,
});
export type TransferRequest = Static<typeof TransferRequest>;

export const ApprovalRequest = Type.Object({
  operator: Type.Optional(Type.String({ description: 'key, organisation name or DID' })),
  approved: Type.Optional(Type.Boolean({ description: 'default: true' })),
  pool: Type.Optional(Type.String({ description: 'name or id; required when there are several' })),
  key: signingKey,
  config,
  message: Type.Optional(AttachedMessage),
  idempotencyKey,
});
export type ApprovalRequest = Static<typeof ApprovalRequest>;

/**
 * The definition of a pool as it is broadcast, with everything that a node needs to follow it (docs/api.md §19.1,
 * docs/protocol.md §9.3).
 */
export const PoolDefinition = Type.Object({
  id: Uuid,
  type: TokenType,
  namespace: Type.String(),
  name: Type.String({ description: 'the name in the network' }),
  standard: Type.String(),
  locator: Type.String(),
  key: Type.Optional(Address),
  symbol: Type.Optional(Type.String()),
  decimals: nullable(Type.Integer()),
  connector: Type.String(),
  tx: TransactionReference,
  interface: Type.Optional(Type.Object({ id: Uuid })),
  interfaceFormat: Type.Optional(Type.String()),
  methods: Type.Optional(Raw),
});
export type PoolDefinition = Static<typeof PoolDefinition>;

/**
 * The on-chain data of an operation (docs/protocol.md §13.1); the first two members are present even without a message.
 */
export const OperationData = Type.Object({
  tx: Uuid,
  txtype: Type.String(),
  message: Type.Optional(Uuid),
  messageHash: Type.Optional(Hash),
});
export type OperationData = Static<typeof OperationData>;

/** The input of an operation `token_create_pool`. */
export const PoolInput = Type.Object({
  pool: Uuid,
  type: TokenType,
  name: Type.String(),
  networkName: Type.String(),
  symbol: Type.Optional(Type.String()),
  key: Address,
  publish: Type.Boolean(),
  config,
  data: Type.String(),
});
export type PoolInput = Static<typeof PoolInput>;

const poolMethods = Type.Optional(
  Type.Array(Type.Unknown(), { description: "ABI of those of the pool's contract for this; default: the standard's" }),
);

/** The input of an operation `token_transfer`. */
export const TransferInput = Type.Object({
  localId: Uuid,
  pool: Uuid,
  kind: oneOf(['mint', 'transfer', 'burn']),
  locator: Type.String(),
  key: Address,
  from: Address,
  to: Address,
  amount,
  tokenIndex,
  uri: Type.Optional(Type.String()),
  config,
  data: Type.String(),
  methods: poolMethods,
});
export type TransferInput = Static<typeof TransferInput>;

/** The input of an operation `token_approval`. */
export const ApprovalInput = Type.Object({
  localId: Uuid,
  pool: Uuid,
  locator: Type.String(),
  key: Address,
  operator: Address,
  approved: Type.Boolean(),
  config,
  data: Type.String(),
  methods: poolMethods,
});
export type ApprovalInput = Static<typeof ApprovalInput>;

import { type Static, Type } from '@sinclair/typebox';
import { Address, nullable, oneOf, Time, Uuid } from '../scalar.js';

const Verifier = Type.Object({ type: Type.Literal('ethereum_address'), value: Address });
const Plugin = Type.Object({ name: Type.Optional(Type.String()), pluginType: Type.String() });
const Registered = { name: Type.String(), registered: Type.Boolean(), id: Type.Optional(Uuid) };

const Rules = Type.Object(
  {
    limits: Type.Record(Type.String(), Type.Integer()),
    absent: Type.Array(Type.String()),
    guard: oneOf(['limits', 'watch']),
    profile: Type.Optional(oneOf(['firefly'])),
  },
  {
    description:
      'limits: recorded when the network was created, all nodes decide by them; null until they are read. absent: ' +
      'those that an older network lacks. guard: whether limits of the network bound the work that others can cause, ' +
      'or, where some are absent, only the watch that each node keeps on its own work',
  },
);

/** The status of a node (docs/api.md §21.3). */
export const Status = Type.Object({
  namespace: Type.Object({
    name: Type.String(),
    networkName: Type.String(),
    description: Type.String(),
    created: Type.Optional(Time),
  }),
  node: Type.Object(Registered),
  org: Type.Object({
    ...Registered,
    did: Type.Optional(Type.String()),
    verifiers: Type.Optional(Type.Array(Verifier)),
  }),
  plugins: Type.Object({
    blockchain: Type.Array(Plugin),
    database: Type.Array(Plugin),
    dataExchange: Type.Array(Plugin),
    events: Type.Array(Plugin),
    identity: Type.Array(Plugin),
    sharedStorage: Type.Array(Plugin),
    tokens: Type.Array(Plugin),
  }),
  multiparty: Type.Object({
    enabled: Type.Literal(true),
    contract: Type.Object({
      active: Type.Object({
        index: Type.Integer(),
        location: Type.Object({ address: Address }),
        firstEvent: Type.String(),
        info: Type.Object({ subscription: Type.String(), version: Type.Integer() }),
      }),
    }),
  }),
  parley: Type.Object({
    pending: Type.Integer({ description: 'messages of this namespace that are not decided yet' }),
    blocked: Type.Integer({ description: 'contexts whose head cannot be decided yet' }),
    lastSequence: Type.Integer({ description: 'sequence of the newest event of this node' }),
    chain: Type.Object({
      head: nullable(Type.Integer()),
      confirmed: Type.Optional(
        Type.Integer({ description: 'newest block with enough confirmations; absent while the chain is away' }),
      ),
      processed: Type.Integer(),
    }),
    keys: Type.Array(Address, { description: "addresses that this node signs with, the organisation's first" }),
    damaged: Type.Integer({ description: 'stored records found not to match their hash, since the node started' }),
    rules: nullable(Rules),
    peers: Type.Array(
      Type.Object({
        node: Type.String(),
        outbox: Type.Integer({ description: 'envelopes and blobs that it has not acknowledged yet' }),
        lastContact: Type.Optional(Time),
      }),
      { description: 'the other nodes of the network' },
    ),
    registration: Type.Object(
      {
        matches: Type.Boolean({ description: "whether it matches the node's own settings" }),
        corrections: Type.Integer({ description: 'how often someone else has changed it since the start' }),
        found: Type.Optional(
          Type.Object(
            { time: Time, endpoint: Type.String(), publicKeyHash: Type.String() },
            { description: "the newest entry that was not the node's own" },
          ),
        ),
      },
      { description: "this node's endpoint and key in the registry of the network" },
    ),
    waiting: Type.Array(
      Type.Object(
        { service: Type.String(), since: Time, error: Type.String() },
        { description: 'services that are away' },
      ),
    ),
  }),
});
export type Status = Static<typeof Status>;

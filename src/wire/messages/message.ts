import { type Static, Type } from '@sinclair/typebox';
import { DataInput, MessageData } from '../data/data.js';
import { requiring } from '../json/required-mark.js';
import { GroupInput } from './group.js';
import { Address, Hash, nameRule, oneOf, Time, Uuid } from '../scalar.js';

export const messageTypes = [
  'broadcast',
  'private',
  'definition',
  'transfer_broadcast',
  'transfer_private',
  'approval_broadcast',
  'approval_private',
] as const;
export const MessageType = oneOf(messageTypes);
export type MessageType = Static<typeof MessageType>;
export const TxType = oneOf(['batch_pin', 'none', 'unpinned']);
export type TxType = Static<typeof TxType>;
export const MessageState = oneOf(['staged', 'ready', 'confirmed', 'rejected', 'cancelled']);
export type MessageState = Static<typeof MessageState>;

/** Transactions of operations that a message can belong to (docs/api.md §19.3, §20). */
export const ParentType = oneOf(['token_transfer', 'token_approval', 'contract_invoke']);
export type ParentType = Static<typeof ParentType>;

/**
 * The header as it is hashed: in this order, without empty fields, `topics` without its copy `topic`
 * (docs/protocol.md §5.1, §3.1).
 */
export const HashedHeader = Type.Object({
  id: Uuid,
  cid: Type.Optional(Uuid),
  type: MessageType,
  txtype: TxType,
  author: Type.String({ description: 'DID of the identity that sent it' }),
  key: Address,
  created: Time,
  namespace: Type.String(),
  group: Type.Optional(Hash),
  topics: Type.Array(Type.String(), { description: 'ordering contexts' }),
  tag: Type.Optional(Type.String()),
  datahash: Hash,
  txparent: Type.Optional(Type.Object({ type: ParentType, id: Uuid })),
});
export type HashedHeader = Static<typeof HashedHeader>;

const { topics, tag, datahash, txparent, ...beforeTopics } = HashedHeader.properties;
/** The header as it is served: with `topic`, a copy of `topics` (docs/protocol.md §5.1). */
export const MessageHeader = Type.Object({
  ...beforeTopics,
  topics,
  topic: Type.Array(Type.String(), { description: 'a copy of topics; never hashed' }),
  tag,
  datahash,
  txparent,
});
export type MessageHeader = Static<typeof MessageHeader>;

/** A message (docs/api.md §10.1). `batchID` is set only inside events, where it repeats `batch`. */
export const Message = Type.Object({
  header: MessageHeader,
  localNamespace: Type.String(),
  hash: Type.String({
    ...Hash,
    description: 'SHA-256 of the header as it is shown, compact, without "topic", which repeats "topics"',
  }),
  batch: Type.Optional(Uuid),
  batchID: Type.Optional(Uuid),
  txid: Type.Optional(Uuid),
  state: Type.Unsafe<MessageState>({
    ...MessageState,
    description: "with txtype none the sender's stays confirmed when a receiver rejects the message",
  }),
  confirmed: Type.Optional(Type.String({ ...Time, description: 'when this node confirmed it' })),
  rejected: Type.Optional(
    Type.String({ ...Time, description: 'when this node rejected it; then it is not confirmed' }),
  ),
  rejectReason: Type.Optional(Type.String()),
  data: Type.Array(MessageData),
  pins: Type.Optional(Type.Array(Hash)),
  idempotencyKey: Type.Optional(Type.String()),
});
export type Message = Static<typeof Message>;

/** The header of a message in a request (docs/api.md §10.2). Texts are checked one by one, so that errors name them. */
export const HeaderInput = Type.Object({
  cid: Type.Optional(Type.String({ description: 'id of the message that this one answers' })),
  type: Type.Optional(Type.String()),
  txtype: Type.Optional(Type.String()),
  author: Type.Optional(Type.String({ description: 'DID, organisation name or key of this node' })),
  key: Type.Optional(Type.String({ description: 'signing key of this node' })),
  topics: Type.Optional(Type.Array(Type.String(), { description: `at most 10, each ${nameRule}; default: "default"` })),
  topic: Type.Optional(Type.Array(Type.String())),
  tag: Type.Optional(Type.String({ description: nameRule })),
  group: Type.Optional(Type.Unknown()),
});

const requestData = (description: string) => Type.Optional(Type.Array(DataInput, { description }));

export const BroadcastRequest = requiring(
  ['data'],
  Type.Object({
    header: Type.Optional(HeaderInput),
    group: Type.Optional(Type.Unknown({ description: 'refused: a broadcast has no group' })),
    data: requestData('at least one item'),
    idempotencyKey: Type.Optional(Type.String({ description: 'at most 256 characters; a second use is 409' })),
  }),
  { unless: 'firefly' },
);
export type BroadcastRequest = Static<typeof BroadcastRequest>;

/**
 * A group given inline with its members, or the hash of a known group, as text or in an object (docs/protocol.md §6).
 */
const GroupOrHash = Type.Union([GroupInput, Type.String()]);

export const PrivateRequest = Type.Object({
  header: Type.Optional(HeaderInput),
  group: Type.Optional(GroupOrHash),
  data: requestData('may be empty'),
  idempotencyKey: Type.Optional(Type.String({ description: 'at most 256 characters; a second use is 409' })),
});
export type PrivateRequest = Static<typeof PrivateRequest>;

/** A private message that requests a reply: its tag tells the recipient what is requested (docs/api.md §17). */
export const ReplyRequest = Type.Object({
  ...PrivateRequest.properties,
  header: Type.Optional(requiring(['tag'], HeaderInput)),
});

import { type Ways, waysOf } from '../../domain/profile.js';
import { storedKey } from '../../domain/definition.js';
import { networkLimits } from '../../domain/limits.js';
import { systemNamespace } from '../../domain/identity.js';
import {
  checkReserved,
  isPrivateType,
  resolveTag,
  resolveTopics,
  type SealedMessage,
  sealMessage,
} from '../../domain/message.js';
import { pinsOf } from '../../domain/pin.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, Unit } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Random } from '../../ports/random.js';
import type { NewRow } from '../../ports/tables.js';
import type { DataInput } from '../../wire/data.js';
import { ServiceError } from '../../wire/error.js';
import type {
  BroadcastRequest,
  HashedHeader,
  Message,
  MessageType,
  PrivateRequest,
  TxType,
} from '../../wire/message.js';
import type { JsonText } from '../../wire/scalar.js';
import type { AttachedMessage } from '../../wire/token.js';
import type { Bell, Bus } from '../bus.js';
import { messageRecord } from '../records/records.js';
import { newMessage } from '../rows.js';
import { type Author, type OwnIdentity, resolveAuthor } from './author.js';
import { type ResolvedData, resolveData } from './data.js';
import { createDirectory, type Directory } from './directory.js';
import { type ResolvedGroup, resolveGroup } from './group.js';
import { checkAttached, checkBroadcast, checkPrivate } from './request.js';
import { type Accepted, storeMessage } from './store.js';
import type { Validate } from './validate.js';

export interface AcceptParts {
  readonly database: Database;
  readonly own: OwnIdentity;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
  readonly validate: Validate;
  readonly ways?: Ways | undefined;
}

/** A record that all members decide about, in the order of its topics (docs/protocol.md §9.1). */
export interface Definition {
  /** The tag of the definition, one of the system's tags. */
  readonly tag: string;
  readonly topics: readonly string[];
  /** The record as text. */
  readonly value: JsonText;
  readonly author?: string | undefined;
  readonly key?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/**
 * The one sender: request → sealed message rows. Each resolves when the message is on disk, with
 * the message as it is served. All checks come before anything is stored; a refused request leaves nothing and does not
 * use up its idempotency key (docs/api.md §5, §10.2).
 *
 * They throw ServiceError for what the caller can mend: what request.ts, author.ts, group.ts and data.ts say, bad
 * names, reserved names, too_large_to_broadcast, too_large_to_send, idempotency_key_used.
 */
export interface Sender {
  /** Accepts a broadcast. */
  readonly acceptMessage: (namespace: string, request: BroadcastRequest) => Promise<Message>;
  /** Accepts a private message, which is confirmed at once when it is not to be pinned (docs/protocol.md §11.5). */
  readonly acceptPrivate: (namespace: string, request: PrivateRequest) => Promise<Message>;
  /** Accepts a definition of ours, which goes to everybody in the system namespace. */
  readonly acceptDefinition: (definition: Definition) => Promise<Message>;
  /** The same for a definition that must be stored together with something else. */
  readonly prepareDefinition: (definition: Definition) => Promise<Prepared>;
  /**
   * Seals a message that waits for an operation, to be stored with it: `staged` until that has succeeded, which
   * `pipeline/staged.ts` writes (docs/api.md §19.3, §20).
   */
  readonly prepareStaged: (namespace: string, request: AttachedMessage, parent: Parent) => Promise<Prepared>;
}

/** The transaction of the operation that a message belongs to. */
export type Parent = NonNullable<HashedHeader['txparent']>;

/** A message that is sealed, and not stored yet. */
export interface Prepared {
  /** As it is served. */
  readonly message: Message;
  /** Stores it; resolves with whom to wake after the commit. */
  readonly store: (unit: Unit) => Promise<readonly Bell[]>;
  /** After the commit: wakes them. */
  readonly announce: (bells: readonly Bell[]) => void;
}

/** The sender of a node. */
export function createSender(acceptParts: AcceptParts): Sender {
  const { ways = waysOf(undefined) } = acceptParts;
  const parts = { ...acceptParts, directory: createDirectory(acceptParts.database) };
  return {
    async acceptMessage(namespace, request) {
      checkBroadcast(request, ways);
      const { header = {}, data = [], idempotencyKey } = request;
      return accept(parts, { type: 'broadcast', txtype: 'batch_pin', namespace, header, data, idempotencyKey });
    },
    async acceptPrivate(namespace, request) {
      const txtype = checkPrivate(request, ways);
      const { header = {}, group, data = [], idempotencyKey } = request;
      return accept(parts, { type: 'private', txtype, namespace, header, group, data, idempotencyKey });
    },
    acceptDefinition: (definition) => accept(parts, draftOf(definition)),
    prepareDefinition: (definition) => prepare(parts, draftOf(definition)),
    async prepareStaged(namespace, request, parent) {
      const type = checkAttached(request, parent.type, ways);
      const { header = {}, group, data = [], idempotencyKey } = request;
      return prepare(parts, { type, txtype: 'batch_pin', namespace, header, group, data, idempotencyKey, parent });
    },
  };
}

function draftOf({ tag, topics, value, author, key, idempotencyKey }: Definition): Draft {
  const given = { ...(author !== undefined && { author }), ...(key !== undefined && { key }) };
  const header = { tag, topics: [...topics], ...given };
  const [namespace, data] = [systemNamespace, [{ value }]];
  const stored = idempotencyKey === undefined ? undefined : storedKey(topics[0] ?? '', idempotencyKey);
  return { type: 'definition', txtype: 'batch_pin', namespace, header, data, idempotencyKey: stored };
}

type HeaderInput = NonNullable<PrivateRequest['header']>;

/** A request whose form is right. */
interface Draft {
  readonly type: MessageType;
  readonly txtype: TxType;
  readonly namespace: string;
  readonly header: HeaderInput;
  readonly group?: PrivateRequest['group'];
  readonly data: readonly DataInput[];
  readonly idempotencyKey: string | undefined;
  readonly parent?: Parent;
}

interface SenderParts extends AcceptParts {
  readonly directory: Directory;
}

async function accept(parts: SenderParts, draft: Draft): Promise<Message> {
  const { message, store, announce } = await prepare(parts, draft);
  const bells = await parts.database.transaction(store);
  await parts.failpoint.reach('api.before-reply');
  announce(bells);
  return message;
}

async function prepare(parts: SenderParts, draft: Draft): Promise<Prepared> {
  const { database, directory, own, bus, clock, random, metrics, validate } = parts;
  const { namespace, type, header } = draft;
  const now = clock.now();
  const labels = checkLabels(draft);
  const author = await resolveAuthor(directory, own, header);
  const group = isPrivateType(type) ? await findGroup(parts, draft, author, now) : undefined;
  const data = await resolveData(database, random, { namespace, now, items: draft.data, validate, ways: parts.ways });
  const message = seal(draft, { id: random.uuid(), now, labels, author, group, data });
  const txid = draft.txtype !== 'batch_pin' ? random.uuid() : undefined;
  const accepted: Accepted = { row: toRow(message, data, draft, txid), data, group };
  checkSize(accepted.row);
  return {
    message: messageRecord({ ...accepted.row, sequence: 0 }),
    store: (unit) => storeMessage(unit, accepted, random),
    announce(bells) {
      bus.ring(...bells);
      metrics.count(isPrivateType(type) ? 'ff_private_msg_submitted_total' : 'ff_broadcast_submitted_total');
      if (txid !== undefined) metrics.count('ff_private_msg_confirmed_total');
    },
  };
}

interface Labels {
  readonly topics: readonly string[];
  readonly tag: string | undefined;
}

/** Those of definitions are the system's own. */
function checkLabels({ type, namespace, header }: Draft): Labels {
  if (type === 'definition') return { topics: header.topics ?? [], tag: header.tag };
  const topics = resolveTopics(header.topics, header.topic);
  const tag = resolveTag(header.tag);
  checkReserved({ namespace, type, topics, tag });
  return { topics, tag };
}

function findGroup(parts: SenderParts, draft: Draft, { author }: Author, now: string): Promise<ResolvedGroup> {
  const { namespace, header, group: inBody } = draft;
  return resolveGroup(parts.database, parts.directory, { namespace, author, inHeader: header.group, inBody, now });
}

interface Resolved {
  readonly id: string;
  readonly now: string;
  readonly labels: Labels;
  readonly author: Author;
  readonly group: ResolvedGroup | undefined;
  readonly data: ResolvedData;
}

function seal({ type, txtype, namespace, header, parent }: Draft, resolved: Resolved): SealedMessage {
  const { id, now, labels, author, group, data } = resolved;
  return sealMessage(
    {
      id,
      ...(header.cid !== undefined && { cid: header.cid.toLowerCase() }),
      type,
      txtype,
      ...author,
      created: now,
      namespace,
      ...(group !== undefined && { group: group.group.hash }),
      topics: [...labels.topics],
      ...(labels.tag !== undefined && { tag: labels.tag }),
      ...(parent !== undefined && { txparent: parent }),
    },
    data.references,
  );
}

/** The pins of a private message follow from its nonces, which it gets when it is sealed into a batch. */
function toRow(
  message: SealedMessage,
  data: ResolvedData,
  { idempotencyKey, parent }: Draft,
  txid: string | undefined,
): NewRow<'messages'> {
  const pins = pinsOf(message);
  const state = parent === undefined ? 'ready' : 'staged';
  const { items, steps } = data;
  if (txid === undefined) return newMessage(message, { items, steps, state, pins, idempotencyKey });
  const confirmed = message.header.created;
  return newMessage(message, { items: data.items, state: 'confirmed', confirmed, txid, pins, idempotencyKey });
}

function checkSize({ type, sizeBytes: actual }: NewRow<'messages'>): void {
  const max = networkLimits.maxBatchDataBytes;
  if (actual > max)
    throw new ServiceError(isPrivateType(type) ? 'too_large_to_send' : 'too_large_to_broadcast', { max, actual });
}

import { type ProfileRules, profileRulesOf } from '../../../domain/network/profile.js';
import { storedKey } from '../../../domain/definition.js';
import { networkLimits } from '../../../domain/network/limits.js';
import { systemNamespace } from '../../../domain/network/identity.js';
import {
  checkReserved,
  isPrivateType,
  resolveTag,
  resolveTopics,
  type SealedMessage,
  sealMessage,
} from '../../../domain/messages/message.js';
import { pinsOf } from '../../../domain/messages/pin.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database } from '../../../ports/database.js';
import type { Failpoint } from '../../../ports/failpoint.js';
import type { Log } from '../../../ports/log.js';
import type { Metrics } from '../../../ports/metrics.js';
import type { Random } from '../../../ports/random.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import type { DataInput } from '../../../wire/data/data.js';
import { isServiceError, ServiceError } from '../../../wire/errors/error.js';
import { write } from '../../../wire/json/json.js';
import { type PayloadData, PayloadItems } from '../../../wire/messages/batch.js';
import type { Message, MessageType, PrivateRequest, TxType } from '../../../wire/messages/message.js';
import type { Bus } from '../../bus.js';
import { messageRecord } from '../../records/records.js';
import { newMessage } from '../../state/messages/message-row.js';
import { type Author, resolveAuthor } from '../identities/author.js';
import { type ResolvedData, resolveData } from '../data/data.js';
import { createDirectory, type Directory } from '../identities/directory.js';
import { type ResolvedGroup, resolveGroup } from '../group.js';
import { checkAttached, checkBroadcast, checkPrivate } from './request.js';
import { storeMessage } from './store.js';
import { createRefuseUsedKey, type RefuseUsedKey } from './used-keys.js';
import type { Validate } from '../data/validate.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import type { Definition, Parent, Prepared, Sender } from '../../state/messages/sender.js';
import type { Sealer } from '../../sealer.js';

export interface AcceptParts {
  readonly database: Database;
  readonly own: OwnIdentity;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
  readonly validate: Validate;
  readonly profileRules?: ProfileRules | undefined;
  readonly log: Log;
  readonly sealer: Sealer;
}

export function createSender(acceptParts: AcceptParts): Sender {
  const { profileRules = profileRulesOf(undefined) } = acceptParts;
  const { database } = acceptParts;
  const parts = {
    ...acceptParts,
    directory: createDirectory(database),
    refuseUsedKey: createRefuseUsedKey(database),
  };
  return {
    async acceptMessage(namespace, request) {
      checkBroadcast(request, profileRules);
      const { header = {}, data = [], idempotencyKey } = request;
      return accept(parts, { type: 'broadcast', txtype: 'batch_pin', namespace, header, data, idempotencyKey });
    },
    async acceptPrivate(namespace, request) {
      const txtype = checkPrivate(request, profileRules);
      const { header = {}, group, data = [], idempotencyKey } = request;
      return accept(parts, { type: 'private', txtype, namespace, header, group, data, idempotencyKey });
    },
    acceptDefinition: (definition) => accept(parts, draftOf(definition)),
    prepareDefinition: (definition) => prepare(parts, draftOf(definition)),
    async prepareStaged(namespace, request, parent) {
      const type = checkAttached(request, parent.type, profileRules);
      const { header = {}, group, data = [], idempotencyKey } = request;
      return prepare(parts, { type, txtype: 'batch_pin', namespace, header, group, data, idempotencyKey, parent });
    },
  };
}

function draftOf({ tag, topics, value, author, key, idempotencyKey }: Definition): MessageDraft {
  const given = { ...(author !== undefined && { author }), ...(key !== undefined && { key }) };
  const header = { tag, topics: [...topics], ...given };
  const [namespace, data] = [systemNamespace, [{ value }]];
  const stored = idempotencyKey === undefined ? undefined : storedKey(topics[0] ?? '', idempotencyKey);
  return { type: 'definition', txtype: 'batch_pin', namespace, header, data, idempotencyKey: stored };
}

type HeaderInput = NonNullable<PrivateRequest['header']>;

interface MessageDraft {
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
  readonly refuseUsedKey: RefuseUsedKey;
}

async function accept(parts: SenderParts, draft: MessageDraft): Promise<Message> {
  const { message, store, announce } = await prepare(parts, draft);
  const { bells, conclude } = await parts.database.transaction(async (unit) => ({
    bells: await store(unit),
    conclude: await parts.sealer.sealAlone(unit, message.header.key),
  }));
  await parts.failpoint.reach('api.before-reply');
  announce([...bells, ...((await conclude?.()) ?? [])]);
  return message;
}

async function prepare(parts: SenderParts, draft: MessageDraft): Promise<Prepared> {
  const { directory, own, bus, clock, random, metrics, log } = parts;
  const { namespace, type, header } = draft;
  const now = clock.now();
  const labels = checkLabels(draft);
  const author = await resolveAuthor(directory, own, header);
  const group = isPrivateType(type) ? await findGroup(parts, draft, author, now) : undefined;
  const data = await findData(parts, draft, now);
  const message = seal(draft, { id: random.uuid(), now, labels, author, group, data });
  const txid = draft.txtype !== 'batch_pin' ? random.uuid() : undefined;
  const row = toRow(message, data, draft, txid);
  checkSize(row, data);
  const recheckKey = await parts.refuseUsedKey(row);
  return {
    message: messageRecord({ ...row, sequence: 0 }),
    store: (unit) => storeMessage(unit, { row, data, group, recheckKey }, random),
    announce(bells) {
      bus.ring(...bells);
      log.debug('A message is accepted', { message: row.id, namespace, type, topics: labels.topics });
      metrics.count(isPrivateType(type) ? 'ff_private_msg_submitted_total' : 'ff_broadcast_submitted_total');
      if (txid !== undefined) metrics.count('ff_private_msg_confirmed_total');
    },
  };
}

/** Resolves the data of a message. Items that a repeat refers to may be gone: its key still names the first message. */
async function findData(parts: SenderParts, draft: MessageDraft, now: string): Promise<ResolvedData> {
  const { database, random, validate, profileRules, refuseUsedKey } = parts;
  const { type, namespace, data: items, idempotencyKey = null } = draft;
  try {
    return await resolveData(database, random, { namespace, now, items, validate, profileRules });
  } catch (error) {
    const isGone = isServiceError(error, 'data_unknown') || isServiceError(error, 'blob_missing');
    if (isGone) await refuseUsedKey({ type, namespace, idempotencyKey });
    throw error;
  }
}

interface Labels {
  readonly topics: readonly string[];
  readonly tag: string | undefined;
}

/** Labels of definitions are the system's own and are not restricted. */
function checkLabels({ type, namespace, header }: MessageDraft): Labels {
  if (type === 'definition') return { topics: header.topics ?? [], tag: header.tag };
  const topics = resolveTopics(header.topics, header.topic);
  const tag = resolveTag(header.tag);
  checkReserved({ namespace, type, topics, tag });
  return { topics, tag };
}

function findGroup(parts: SenderParts, draft: MessageDraft, { author }: Author, now: string): Promise<ResolvedGroup> {
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

function seal({ type, txtype, namespace, header, parent }: MessageDraft, resolved: Resolved): SealedMessage {
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

/** Builds the row. A private message gets its nonces, and with them its pins, when it is sealed into a batch. */
function toRow(
  message: SealedMessage,
  data: ResolvedData,
  { idempotencyKey, parent }: MessageDraft,
  txid: string | undefined,
): NewRow<'messages'> {
  const pins = pinsOf(message);
  const state = parent === undefined ? 'ready' : 'staged';
  const { items, steps } = data;
  if (txid === undefined) return newMessage(message, { items, steps, state, pins, idempotencyKey });
  const confirmed = message.header.created;
  return newMessage(message, { items: data.items, state: 'confirmed', confirmed, txid, pins, idempotencyKey });
}

/** A payload with the largest values has room for this many characters of labels, in any spelling. */
const fewLabelCharacters = 64 * 1024;
/** Room in a payload for everything but the items: frame, header, references and nonces. */
const frameBytes = 128 * 1024;

/** @throws ServiceError too_large_to_send, too_large_to_broadcast for a message that fits into no payload */
function checkSize({ type, sizeBytes }: NewRow<'messages'>, { items }: ResolvedData): void {
  const { maxBatchDataBytes, maxPayloadBytes } = networkLimits;
  requireAtMost(maxBatchDataBytes, sizeBytes, type);
  const all = [...items.values()];
  // Writing the items takes long, and labels are normally short: only items of others, or of the profile "firefly", can
  // have long ones.
  if (all.reduce((sum, item) => sum + labelCharacters(item), 0) <= fewLabelCharacters) return;
  requireAtMost(maxPayloadBytes, Buffer.byteLength(write(PayloadItems, all)) + frameBytes, type);
}

function labelCharacters({ datatype, blob }: PayloadData): number {
  const labels = [datatype?.name, datatype?.version, blob?.name, blob?.path, blob?.public];
  return labels.reduce((sum, label = '') => sum + label.length, 0);
}

function requireAtMost(max: number, actual: number, type: MessageType): void {
  if (actual <= max) return;
  throw new ServiceError(isPrivateType(type) ? 'too_large_to_send' : 'too_large_to_broadcast', { max, actual });
}

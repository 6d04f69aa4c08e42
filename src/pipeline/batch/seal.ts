import { type BatchMessage, sealBatch, type SealedBatch, takeNonces } from '../../domain/messages/batch.js';
import { assert } from '../../domain/invariant.js';
import { networkLimits } from '../../domain/network/limits.js';
import { groupContext, pinsOf } from '../../domain/messages/pin.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, Reader, Unit } from '../../ports/database.js';
import type { GroupRow } from '../../ports/tables/messaging-tables.js';
import type { Random } from '../../ports/random.js';
import type { DataRow, MessageRow, NewRow } from '../../ports/tables/tables.js';
import { every } from '../../ports/tables/where.js';
import type { PayloadData } from '../../wire/messages/batch.js';
import type { OwnIdentity } from '../state/identities/own-identity.js';
import { openContexts } from '../state/messages/contexts.js';
import { exactItems, referenceKey } from '../state/messages/exact.js';
import type { Flush } from './flushes.js';
import { keyLane, newOperation, type OperationSubject, storeLane } from '../operations/operation.js';
import { newSends, type Parcel } from '../operations/outbox.js';
import { headerOf } from '../records/records.js';
import type { Registry } from '../state/identities/registry.js';
import { payloadData } from '../state/data/data-row.js';
import { newSubmittedEvent } from '../state/events/event-row.js';
import { newTransaction } from '../state/chain/transaction-row.js';

export interface SealParts {
  readonly database: Database;
  readonly own: OwnIdentity;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  /** Called with each batch once it is on disk. */
  readonly onSealed?: ((flush: Flush) => void) | undefined;
}

/**
 * Seals messages into one batch, as many from the first as fit a payload, and stores it with its operations
 * (docs/protocol.md §7.2). Returns false, and the messages wait, if the key is not registered yet, since the contract
 * would refuse the pin, or if a batch of the key and kind was sealed since the lane was found free.
 */
export async function sealMessages(parts: SealParts, key: string, filled: readonly MessageRow[]): Promise<boolean> {
  const { database, registry, clock, onSealed } = parts;
  const startMs = clock.monotonicMs();
  const owner = (await registry.keepOwners(database, [key])).get(key);
  const node = owner === undefined ? undefined : await registry.nodeOf(database, owner);
  if (node === undefined) return false;
  const sealing = await sealFirst(parts, database, { key, node: node.id, filled });
  const isStored = await database.transaction(async (unit) => {
    if (await hasSealed(unit, sealing)) return false;
    await storeSealing(parts, unit, sealing);
    return true;
  });
  if (isStored) onSealed?.(flushOf(sealing, clock.monotonicMs() - startMs));
  return isStored;
}

/**
 * Seals one broadcast in a unit that has other work as well. Returns a function to call once the batch is on disk;
 * undefined while the key is not registered.
 */
export async function sealInUnit(parts: SealParts, unit: Unit, row: MessageRow): Promise<(() => void) | undefined> {
  const { registry, clock, onSealed } = parts;
  const startMs = clock.monotonicMs();
  const owner = (await registry.owners(unit, [row.key])).get(row.key);
  const node = owner === undefined ? undefined : await registry.nodeIdOf(unit, owner);
  if (node === undefined) return undefined;
  const sealing = await sealFirst(parts, unit, { key: row.key, node, filled: [row] });
  await storeSealing(parts, unit, sealing);
  return () => onSealed?.(flushOf(sealing, clock.monotonicMs() - startMs));
}

interface Filled {
  readonly key: string;
  /** The id of this member's node. */
  readonly node: string;
  readonly filled: readonly MessageRow[];
}

/** Seals as many messages from the first as fit a payload. */
async function sealFirst({ clock, random }: SealParts, database: Reader, { key, node, filled }: Filled) {
  const [first] = filled;
  assert(first !== undefined, 'a batch takes at least the oldest message');
  const group = first.group === null ? undefined : await findGroup(database, first.group);
  const data = await exactItems(
    database,
    filled.flatMap((message) => message.data),
  );
  const known = await readNonces(database, filled);
  const [transactionId, id] = [random.uuid(), random.uuid()];
  const { namespace, author } = first;
  const created = clock.now();
  const sealing = sealFitting(filled, (rows) => {
    const nonces = new Map(known);
    const messages = takeNonces(rows.map(toSealed), nonces);
    const items = itemsOf(rows, data);
    const content = { id, namespace, node, author, key, transactionId, created, messages, data: items };
    return { batch: sealBatch(content), rows, messages, items, nonces };
  });
  return { ...sealing, key, node, group, known, transactionId, created };
}

/** Whether a batch of the same key and kind is sealed and not pinned yet. */
async function hasSealed(unit: Unit, { key, group }: Sealing): Promise<boolean> {
  const sealed = { namespace: every, signer: key, state: 'sealed', type: kindOf(group) } as const;
  return (await unit.first('batches', sealed)) !== undefined;
}

function kindOf(group: GroupRow | undefined): 'broadcast' | 'private' {
  return group === undefined ? 'broadcast' : 'private';
}

function flushOf({ key, group, rows, items, batch }: Sealing, timeMs: number): Flush {
  return {
    key,
    kind: kindOf(group),
    messages: rows.length,
    items: items.length,
    sizeBytes: Buffer.byteLength(batch.payload),
    timeMs,
  };
}

async function findGroup(database: Reader, hash: string): Promise<GroupRow> {
  const group = await database.first('groups', { namespace: every, hash });
  assert(group !== undefined, 'a group is stored with the first message to it');
  return group;
}

async function readNonces(database: Reader, messages: readonly MessageRow[]): Promise<ReadonlyMap<string, number>> {
  const contexts = [...new Set(messages.flatMap(contextsOfRow))];
  const author = messages[0]?.author ?? '';
  if (contexts.length === 0) return new Map();
  const rows = await database.rows('nonces', { context: contexts, identity: author }, { limit: contexts.length });
  return new Map(rows.map(({ context, nonce }) => [context, nonce]));
}

function contextsOfRow({ topics, group }: MessageRow): string[] {
  return group === null ? [] : topics.map((topic) => groupContext(topic, group));
}

function toSealed(row: MessageRow): BatchMessage {
  return { header: headerOf(row), hash: row.hash, data: row.data };
}

function itemsOf(messages: readonly MessageRow[], data: ReadonlyMap<string, DataRow>): PayloadData[] {
  // Keyed by id and hash: an item that was deleted and described again has two seals, but may be in a payload only
  // once.
  const wanted = new Map(messages.flatMap((message) => message.data.map((each) => [`${each.id}/${each.hash}`, each])));
  return [...wanted.values()].map((reference) => {
    const row = data.get(referenceKey(reference));
    assert(row !== undefined, 'the data of a message is stored with it');
    return payloadData(row);
  });
}

interface Fitting {
  readonly batch: SealedBatch;
  readonly rows: readonly MessageRow[];
  readonly messages: readonly BatchMessage[];
  readonly items: readonly PayloadData[];
  /** By context, the next nonce after this batch. */
  readonly nonces: ReadonlyMap<string, number>;
}

/**
 * Seals as many messages from the first as fit a payload, halving the number until they do: many small items are small
 * as values but large as a payload. The others go into the next batch.
 */
function sealFitting(rows: readonly MessageRow[], seal: (some: readonly MessageRow[]) => Fitting): Fitting {
  const fitting = seal(rows);
  if (Buffer.byteLength(fitting.batch.payload) <= networkLimits.maxPayloadBytes) return fitting;
  assert(rows.length > 1, 'a message that was accepted fits into a payload');
  return sealFitting(rows.slice(0, Math.ceil(rows.length / 2)), seal);
}

interface Sealing extends Fitting {
  readonly key: string;
  readonly node: string;
  /** Set for a private batch. */
  readonly group: GroupRow | undefined;
  /** The next nonces before this batch, by context. */
  readonly known: ReadonlyMap<string, number>;
  readonly transactionId: string;
  readonly created: string;
}

async function storeSealing({ random }: SealParts, unit: Unit, sealing: Sealing): Promise<void> {
  const { batch, rows, key: signer, group, transactionId: tx, created } = sealing;
  const namespace = rows[0]?.namespace ?? '';
  const subject = { namespace, tx, batch: batch.id, batchHash: batch.hash, signer };
  const next = newOperation({
    id: random.uuid(),
    created,
    subject,
    ...(group === undefined
      ? { type: 'sharedstorage_upload_batch', lane: storeLane }
      : { type: 'blockchain_pin_batch', lane: keyLane(signer) }),
  });
  const sends = group === undefined ? [] : newSends(parcelOf(sealing, group, subject), random);
  const transaction = newTransaction(namespace, { id: tx, type: 'batch_pin', created });
  const submitted = newSubmittedEvent(transaction, random.uuid());
  await unit.insert('batches', [newBatch(sealing, namespace)]);
  await unit.insert('payloads', [{ namespace, hash: batch.hash, text: batch.payload }]);
  await unit.insert('transactions', [transaction]);
  await unit.insert('events', [submitted]);
  await unit.insert('operations', [next, ...sends]);
  if (group === undefined) await takeBroadcasts(unit, sealing);
  else await takePrivate(unit, sealing, group);
}

function parcelOf({ node, items, created }: Sealing, group: GroupRow, subject: OperationSubject): Parcel {
  return { members: group.members, group: group.hash, node, subject, items, created };
}

function newBatch(sealing: Sealing, namespace: string): NewRow<'batches'> {
  const { batch, rows, key, node, group, transactionId, created } = sealing;
  return {
    namespace,
    id: batch.id,
    hash: batch.hash,
    signer: key,
    author: rows[0]?.author ?? '',
    node,
    type: kindOf(group),
    group: group?.hash ?? null,
    txid: transactionId,
    created,
    // A private batch is not in the shared store.
    payloadRef: group === undefined ? null : '',
    manifest: rows.map(({ id, hash, topics }) => ({ id, hash, topics: topics.length })),
    state: 'sealed',
    reason: null,
    confirmed: null,
  };
}

async function takeBroadcasts(unit: Unit, { batch, rows, transactionId: txid }: Sealing): Promise<void> {
  const sequences = rows.map(({ sequence }) => sequence);
  const changes = { batch: batch.id, batchHash: batch.hash, txid };
  const changed = await unit.update('messages', { sequence: sequences }, changes);
  assert(changed === rows.length, 'a message is sealed once');
}

/**
 * Pins and nonces are stored with the messages, so that they stay the same after a crash (docs/architecture.md §9.2).
 */
async function takePrivate(unit: Unit, sealing: Sealing, group: GroupRow): Promise<void> {
  const { batch, rows, messages, transactionId: txid } = sealing;
  for (const [index, message] of messages.entries()) {
    const changes = {
      batch: batch.id,
      batchHash: batch.hash,
      txid,
      pins: pinsOf(message),
      nonces: message.nonces ?? null,
    };
    const changed = await unit.update('messages', { sequence: rows[index]?.sequence ?? 0 }, changes);
    assert(changed === 1, 'a message is sealed once');
  }
  await countNonces(unit, sealing, group);
  await openContexts(unit, group, [...new Set(rows.flatMap(({ topics }) => topics))]);
}

async function countNonces(unit: Unit, { rows, nonces, known }: Sealing, { namespace }: GroupRow): Promise<void> {
  const identity = rows[0]?.author ?? '';
  for (const [context, nonce] of nonces) {
    const before = known.get(context);
    if (before === undefined) await unit.insert('nonces', [{ namespace, context, identity, nonce }]);
    else if (before !== nonce) {
      await unit.update('nonces', { context, identity }, { nonce });
    }
  }
}

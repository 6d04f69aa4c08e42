import { fillBatch, sealBatch, type SealedBatch } from '../domain/batch.js';
import { assert } from '../domain/invariant.js';
import { networkLimits } from '../domain/limits.js';
import type { Clock } from '../ports/clock.js';
import { type Database, everyNamespace } from '../ports/database.js';
import type { Failpoint } from '../ports/failpoint.js';
import type { Random } from '../ports/random.js';
import type { DataRow, IdentityRow, MessageRow, NewRow } from '../ports/tables.js';
import type { PayloadData } from '../wire/batch.js';
import { absent, among, equal, oldestFirst } from '../wire/query.js';
import type { OwnIdentity } from './accept/author.js';
import { newOperation, storeLane } from './operation.js';
import type { Step } from './loop.js';
import { findExact, referenceKey } from './exact.js';
import { headerOf } from './records.js';
import { newTransaction, payloadData } from './rows.js';
import type { Registry } from './registry.js';

export interface BatchParts {
  readonly database: Database;
  readonly own: OwnIdentity;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly failpoint: Failpoint;
}

/** More than a batch can take, so that messages which are passed over do not hide the rest. */
const maxLookAhead = 400;

/**
 * Ready messages of this node's key → one sealed batch, at once when no pin of the key is in flight; while one is,
 * messages gather (S §8.2, 3). No timer. It reads before its transaction: no other part seals, so nothing that it has
 * read can change.
 */
export function createBatchStep(parts: BatchParts): () => Promise<Step> {
  const { database, own, clock, random, failpoint } = parts;
  return async () => {
    if (await isPinInFlight(database, own)) return rested;
    const waiting = await findWaiting(database, own);
    const node = waiting.length === 0 ? undefined : await findOwnNode(parts);
    // Before the registry names this key, the chain would refuse its pins: the messages wait.
    if (node === undefined) return rested;
    const filled = fillBatch(waiting);
    const data = await findData(database, filled);
    const [first] = filled;
    assert(first !== undefined, 'a batch takes at least the oldest message');
    const [transactionId, id] = [random.uuid(), random.uuid()];
    const created = clock.now();
    const { batch, messages } = sealFitting(filled, (some) =>
      sealBatch({
        id,
        namespace: first.namespace,
        node: node.id,
        author: first.author,
        key: own.key,
        transactionId,
        created,
        messages: some.map((row) => ({ header: headerOf(row), hash: row.hash, data: row.data })),
        data: itemsOf(some, data),
      }),
    );
    await store(database, { batch, messages, own, transactionId, operationId: random.uuid(), node: node.id, created });
    await failpoint.reach('batch.after-seal');
    // Nothing more is sealed until this pin is mined, which rings.
    return { hasWorked: false, rings: ['operations'] };
  };
}

const rested: Step = { hasWorked: false, rings: [] };

async function isPinInFlight(database: Database, { key }: OwnIdentity): Promise<boolean> {
  const where = [equal('signer', key), equal('state', 'sealed')];
  return (await database.count('batches', { namespace: everyNamespace, where })) > 0;
}

function findWaiting(database: Database, { key }: OwnIdentity): Promise<readonly MessageRow[]> {
  const where = [equal('key', key), equal('state', 'ready'), absent('batch')];
  return database.find('messages', { namespace: everyNamespace, where, sort: oldestFirst, limit: maxLookAhead });
}

/** The node of this organisation, once the registry has both the node and the key. */
async function findOwnNode({ database, registry, own }: BatchParts): Promise<IdentityRow | undefined> {
  const owners = await registry.keepOwners(database, [own.key]);
  return owners.has(own.key) ? registry.nodeOf(database, own.did) : undefined;
}

/** Every item that the messages refer to. */
async function findData(database: Database, messages: readonly MessageRow[]): Promise<ReadonlyMap<string, DataRow>> {
  return findExact(
    database,
    'data',
    { namespace: everyNamespace },
    messages.flatMap(({ data }) => data),
  );
}

/** Of the items, those that the messages refer to, once each. */
function itemsOf(messages: readonly MessageRow[], data: ReadonlyMap<string, DataRow>): PayloadData[] {
  const wanted = new Set(messages.flatMap((message) => message.data.map(referenceKey)));
  return [...wanted].map((key) => {
    const row = data.get(key);
    assert(row !== undefined, 'the data of a message is stored with it');
    return payloadData(row);
  });
}

/**
 * The messages from the first that make a payload which others take: all of them, or half of them, or half of that.
 * Many small items weigh little as values and much as a payload. What is left over is for the next batch.
 */
function sealFitting(
  messages: readonly MessageRow[],
  seal: (some: readonly MessageRow[]) => SealedBatch,
): { readonly batch: SealedBatch; readonly messages: readonly MessageRow[] } {
  const batch = seal(messages);
  if (Buffer.byteLength(batch.payload) <= networkLimits.maxPayloadBytes) return { batch, messages };
  assert(messages.length > 1, 'a message that was accepted fits into a payload');
  return sealFitting(messages.slice(0, Math.ceil(messages.length / 2)), seal);
}

interface Sealing {
  readonly batch: SealedBatch;
  readonly messages: readonly MessageRow[];
  readonly own: OwnIdentity;
  readonly transactionId: string;
  readonly operationId: string;
  readonly node: string;
  readonly created: string;
}

async function store(database: Database, sealing: Sealing): Promise<void> {
  const { batch, messages, own, transactionId: txid, operationId, created } = sealing;
  const namespace = messages[0]?.namespace ?? '';
  const row = newBatch(sealing, namespace);
  await database.transaction(async (unit) => {
    await unit.insert('batches', [row]);
    await unit.insert('payloads', [{ namespace, hash: batch.hash, text: batch.payload }]);
    const where = [
      among(
        'sequence',
        messages.map(({ sequence }) => sequence),
      ),
    ];
    const changed = await unit.update(
      'messages',
      { namespace, where },
      { batch: batch.id, batchHash: batch.hash, txid },
    );
    assert(changed === messages.length, 'a message is sealed once');
    await unit.insert('transactions', [newTransaction(namespace, { id: txid, type: 'batch_pin', created })]);
    const subject = { namespace, tx: txid, batch: batch.id, batchHash: batch.hash, signer: own.key };
    const type = 'sharedstorage_upload_batch';
    await unit.insert('operations', [newOperation({ id: operationId, type, lane: storeLane, created, subject })]);
  });
}

function newBatch(
  { batch, messages, own, transactionId, node, created }: Sealing,
  namespace: string,
): NewRow<'batches'> {
  return {
    namespace,
    id: batch.id,
    hash: batch.hash,
    signer: own.key,
    author: own.did,
    node,
    type: 'broadcast',
    group: null,
    txid: transactionId,
    created,
    payloadRef: null,
    manifest: messages.map(({ id, hash, topics }) => ({ id, hash, topics: topics.length })),
    state: 'sealed',
    reason: null,
    confirmed: null,
  };
}

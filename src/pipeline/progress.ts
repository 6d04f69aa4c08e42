import { groupContext, topicPin } from '../domain/messages/pin.js';
import type { Reader } from '../ports/database.js';
import type { BatchRow, MessageRow, OperationRow } from '../ports/tables/tables.js';
import { every } from '../ports/tables/where.js';
import type { Progress, ProgressStep, Wait } from '../wire/messages/progress.js';
import { unpinnedKey } from './state/messages/unpinned-key.js';
import { missingBlobs } from './blobs/downloads.js';
import { exactItems } from './state/messages/exact.js';
import { decidedAt } from './state/messages/message-row.js';
import { type FindFirst, type First, type NamedContext, operationWaits, waitsOf } from './state/messages/waiting.js';
import { createLines, type Head } from './aggregate/lines.js';

type Step = Progress['steps'][number];

/**
 * Reports the progress of a message and why it waits (docs/api.md §10.6), from the rows that the stages have written.
 * It makes no decisions.
 */
export async function messageProgress(reader: Reader, message: MessageRow): Promise<Progress> {
  const batch = message.batch === null ? undefined : await findBatch(reader, message.batch, message.batchHash ?? '');
  // Before it is sealed, a message may wait for its operation.
  const tx = message.txid ?? (message.state === 'staged' ? message.parentId : null);
  const operations = tx === null ? [] : await findOperations(reader, tx);
  const decided = decidedAt(message);
  const contexts = decided === null ? contextsOf(message) : [];
  // A decided message may still be in transfer to some members.
  const waits = [...operationWaits(operations), ...(await waitsOf(reader, contexts, firstFor(reader, message)))];
  const missingBlob = await findMissingBlob(reader, message);
  const steps = stepsOf(message, {
    batch,
    operations,
    isBatchHere: batch !== undefined && isHere(batch),
    areBlobsHere: missingBlob === undefined,
    nextSince: decided ?? nextSince(message, waits),
  });
  return withMissing({ id: message.id, hash: message.hash, state: message.state, steps, waits });
}

/** Reports the same for a batch; this node may have only its pin. */
export async function batchProgress(reader: Reader, batch: BatchRow): Promise<Progress> {
  const operations = await findOperations(reader, batch.txid);
  const pins = await findPins(reader, batch);
  const isOver = batch.confirmed !== null && pins.length > 0 && pins.every(({ spent }) => spent);
  const contexts = pins.flatMap(({ context, spent, masked }) => (spent || masked ? [] : [{ key: context }]));
  const missing =
    batch.state === 'wanted'
      ? [
          {
            on: 'batch' as const,
            since: batch.confirmed ?? '',
            batch: batch.id,
            author: batch.author,
            detail: `${batch.author} has pinned this batch; its payload has not arrived yet.`,
          },
        ]
      : [];
  const steps: Step[] = [
    // The payload says when it was sealed; the pin came later.
    step('sealed', batch.created ?? batch.confirmed),
    sendStep(batch, operations),
    step('pinned', batch.confirmed),
    step('batch', isHere(batch) ? (batch.confirmed ?? batch.created) : null),
    step('decided', isOver ? batch.confirmed : null),
  ];
  const waits = isOver
    ? []
    : [...missing, ...operationWaits(operations), ...(await waitsOf(reader, contexts, firstFor(reader, batch)))];
  return withMissing({ id: batch.id, hash: batch.hash, state: batch.state, steps, waits });
}

interface Found {
  readonly batch: BatchRow | undefined;
  readonly operations: readonly OperationRow[];
  readonly isBatchHere: boolean;
  readonly areBlobsHere: boolean;
  /** The time since which only the message's own needs delay it. */
  readonly nextSince: string | null;
}

function stepsOf(message: MessageRow, found: Found): Step[] {
  const { batch, operations, isBatchHere, areBlobsHere, nextSince } = found;
  const { created } = message;
  const end = decidedAt(message);
  const accepted = step('accepted', created);
  const data = step('data', areBlobsHere ? (end ?? created) : null);
  const decided = step('decided', end);
  if (message.txtype !== 'batch_pin') return [accepted, deliveryStep(operations, created), data, decided];
  return [
    accepted,
    step('sealed', batch?.created ?? null),
    batch === undefined ? { step: message.group === null ? 'stored' : 'delivered' } : sendStep(batch, operations),
    step('pinned', batch?.confirmed ?? null),
    step('batch', isBatchHere ? (batch?.confirmed ?? null) : null),
    data,
    step('next', nextSince),
    decided,
  ];
}

/** Whether the payload of a batch is here, valid or not. */
function isHere({ state }: BatchRow): boolean {
  return state === 'held' || state === 'void';
}

/** The step of sending the payload. It is known only for this node's batches; others have arrived. */
function sendStep(batch: BatchRow, operations: readonly OperationRow[]): Step {
  if (batch.type === 'private') return deliveryStep(operations, isHere(batch) ? batch.confirmed : null);
  const upload = operations.find(({ type }) => type === 'sharedstorage_upload_batch');
  if (upload === undefined) return step('stored', batch.confirmed);
  return step('stored', upload.status === 'Succeeded' ? upload.updated : null);
}

/**
 * The step of delivery, with the recipients' states; its time is that of the last one. If nothing was sent, the message
 * came from another node.
 */
function deliveryStep(operations: readonly OperationRow[], otherwise: string | null): Step {
  const sends = operations.filter(({ type, retry }) => type === 'dataexchange_send_batch' && retry === null);
  if (sends.length === 0) return step('delivered', otherwise);
  const info = sends.map(({ lane, status }) => `${lane.replace(/^peer:/, '')}: ${status}`).join(', ');
  const isDone = sends.every(({ status }) => status === 'Succeeded');
  const last = sends
    .map(({ updated }) => updated)
    .sort()
    .at(-1);
  return { ...step('delivered', isDone ? (last ?? null) : null), info };
}

function step(name: ProgressStep, time: string | null): Step {
  return { step: name, ...(time !== null && { time }) };
}

function withMissing(progress: Omit<Progress, 'missing'>): Progress {
  // Steps without a time will not follow, whatever a failed operation suggests.
  if (progress.state === 'cancelled') return { ...progress, waits: [] };
  const missing = progress.steps.find(({ time }) => time === undefined)?.step;
  return { ...progress, ...(missing !== undefined && { missing }) };
}

function contextsOf(message: MessageRow): NamedContext[] {
  const { group, topics } = message;
  if (message.txtype !== 'batch_pin') return [{ key: unpinnedKey(message) }];
  return topics.map((topic) =>
    group === null ? { key: topicPin(topic), topic } : { key: groupContext(topic, group), topic, group },
  );
}

/** Finds the heads of contexts for a message or batch that waits there, as the stage that decides does. */
function firstFor(reader: Reader, waiting: Pick<MessageRow, 'namespace' | 'id' | 'hash'>): FindFirst {
  return async (contexts) => {
    const lines = createLines(reader);
    await lines.load(contexts);
    return new Map(contexts.map((context) => [context, firstOf(lines.head(context), waiting)]));
  };
}

/** Names a head; a message of another namespace only by its batch. */
function firstOf(head: Head, { namespace, id, hash }: Pick<MessageRow, 'namespace' | 'id' | 'hash'>): First {
  if (head.kind === 'none' || head.kind === 'unread') return { isOther: false, names: {} };
  const { batch, identity: author } = head.pin;
  if (head.kind !== 'message') return { isOther: true, names: { batch, author } };
  const { message } = head;
  const isOther = message.id !== id || message.hash !== hash;
  const isNamed = isOther && message.namespace === namespace;
  return { isOther, names: { ...(isNamed && { message: message.id }), batch, author } };
}

/** Returns the time since which the message's contexts wait only for what the message itself needs. */
function nextSince({ batch: ownBatch }: MessageRow, waits: readonly Wait[]): string | null {
  const ofContexts = waits.filter(({ on }) => on !== 'operation');
  const isOwn = ({ on, message, batch }: Wait) =>
    (on === 'definition' || on === 'blob') && message === undefined && (batch ?? ownBatch) === ownBatch;
  if (ofContexts.length === 0 || !ofContexts.every(isOwn)) return null;
  return ofContexts.map(({ since }) => since).sort()[0] ?? null;
}

async function findMissingBlob(reader: Reader, message: MessageRow): Promise<string | undefined> {
  if (!message.hasBlobs) return undefined;
  const items = await exactItems(reader, message.data);
  const hashes = [...items.values()].flatMap(({ blobHash }) => blobHash ?? []);
  const [missing] = await missingBlobs(reader, hashes);
  return missing;
}

function findBatch(reader: Reader, id: string, hash: string): Promise<BatchRow | undefined> {
  return reader.first('batches', { namespace: every, id, hash });
}

function findOperations(reader: Reader, tx: string): Promise<readonly OperationRow[]> {
  return reader.rows('operations', { namespace: every, tx }, { limit: maxOperations });
}

function findPins(reader: Reader, { id, hash, signer }: BatchRow) {
  return reader.rows('pins', { batch: id, batchHash: hash, signer }, { limit: maxPins });
}

/** A message to a full group has an envelope and blobs for each member. */
const maxOperations = 10_000;
const maxPins = 10_000;

import { type BatchLimits, fillBatch } from '../../domain/messages/batch.js';
import { assert } from '../../domain/invariant.js';
import type { Database, Reader } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { DataRow, MessageRow } from '../../ports/tables/tables.js';
import { type Columns, above, every, present } from '../../ports/tables/where.js';
import { exactItems, referenceKey } from '../common/messages/exact.js';
import type { Step } from '../loop.js';
import { keyLane } from '../operations/operation.js';
import type { Rulebook } from '../common/rulebook.js';
import type { Sealer } from '../sealer.js';
import { createPace, type Pace } from './pace.js';
import { sealInUnit, sealMessages, type SealParts } from './seal.js';

export interface BatchParts extends SealParts {
  readonly failpoint: Failpoint;
  readonly rulebook: Rulebook;
  readonly batching?: Batching | undefined;
}

export interface Batching extends Partial<BatchLimits> {
  /** Milliseconds for which batches of a lane may gather under steady traffic; default 0. */
  readonly paceMs?: number;
}

/** A key and a kind of batch. Each lane has at most one sealed batch that is not pinned yet. */
interface SealLane {
  readonly key: string;
  readonly kind: 'broadcast' | 'private';
}

/** More than a batch can take, so that skipped messages do not hide the others. */
const maxLookAhead = 400;
/** Larger messages are sealed outside of units, since a unit holds up all others. */
const maxAloneBytes = 8_192;

export interface BatchStage {
  readonly step: () => Promise<Step>;
  readonly sealer: Sealer;
}

export function createBatchStage(parts: BatchParts): BatchStage {
  const pace = createPace(parts.clock, parts.batching?.paceMs ?? 0);
  return { step: createStep(parts, pace), sealer: createSealer(parts, pace) };
}

/**
 * Seals broadcasts alone, as the step would with its next look. Nonces belong to an author, who may have several keys,
 * so private messages are sealed by the step only.
 */
function createSealer(parts: BatchParts, pace: Pace): Sealer {
  const { failpoint } = parts;
  return {
    async sealAlone(unit, key) {
      // First what is decided by few rows: under load the lane is busy, and many messages wait.
      const lane = (await findFreeLanes(unit, [key])).find(({ kind }) => kind === 'broadcast');
      if (lane === undefined) return undefined;
      const name = nameOf(lane);
      if (pace.restMs(name) > 0) return undefined;
      const [row, ...others] = await readWaiting(unit, { key }, 2);
      // Those that wait already go first.
      if (row === undefined || others.length > 0) return undefined;
      if (kindOf(row) !== 'broadcast' || row.hasBlobs || row.sizeBytes > maxAloneBytes) return undefined;
      if (pace.waitMs(name, 1) > 0) return undefined;
      const tell = await sealInUnit(parts, unit, row);
      return (
        tell &&
        (async () => {
          tell();
          pace.sealed(name, 1);
          await failpoint.reach('batch.after-seal');
          return ['operations', 'events'];
        })
      );
    },
  };
}

/**
 * Returns the step that seals ready messages of this node's keys into batches, at most one for each key and kind. A
 * lane is sealed at once, unless a pin of the key is in flight, a batch of the kind is sealed and unpinned, or its pace
 * makes it wait; meanwhile messages gather (docs/protocol.md §7.2). An absent store therefore delays no private
 * message. Messages are read before the transaction; this is safe because the sealer of lone messages takes none while
 * another one waits, and because the transaction looks at the lane again.
 */
function createStep(parts: BatchParts, pace: Pace): () => Promise<Step> {
  const { database, own, failpoint } = parts;
  return async () => {
    let hasSealed = false;
    const waits: number[] = [];
    // Read once for all lanes: batches sealed in this step do not block the other kind of a key.
    const lanes = (await findFreeLanes(database, own.keys)).filter((lane) => {
      const restMs = pace.restMs(nameOf(lane));
      if (restMs > 0) waits.push(restMs);
      return restMs === 0;
    });
    const known = await readForAll(database, lanes);
    for (const lane of lanes) {
      const { filled, isFull } = await fillLane(parts, lane, known);
      if (filled.length === 0) continue;
      const name = nameOf(lane);
      const waitMs = isFull ? 0 : pace.waitMs(name, filled.length);
      if (waitMs > 0) waits.push(waitMs);
      if (waitMs > 0 || !(await sealMessages(parts, lane.key, filled))) continue;
      pace.sealed(name, filled.length);
      hasSealed = true;
      await failpoint.reach('batch.after-seal');
    }
    // A sealed lane has no more to do until its pin is mined, which rings the bell.
    const againAfterMs = waits.length === 0 ? undefined : Math.min(...waits);
    return { hasWorked: false, rings: hasSealed ? ['operations', 'events'] : [], againAfterMs };
  };
}

function nameOf({ kind, key }: SealLane): string {
  return `${kind}/${key}`;
}

/**
 * Returns the lanes that may seal now. Broadcasts come first: they are pinned after their upload, so both kinds of a
 * key can be sealed at the same time and neither starves.
 */
async function findFreeLanes(database: Reader, keys: readonly string[]): Promise<SealLane[]> {
  const sealed = await database.rows(
    'batches',
    { namespace: every, signer: keys, state: 'sealed' },
    { limit: keys.length * 2 },
  );
  const busy = sealed.length === 0 ? new Set<string>() : await findPinning(database, sealed);
  return keys
    .filter((key) => !busy.has(key))
    .flatMap((key) => (['broadcast', 'private'] as const).map((kind) => ({ key, kind })))
    .filter(({ key, kind }) => !sealed.some(({ signer, type }) => signer === key && type === kind));
}

/** Returns the keys with a pin in flight. A pin that has failed for good does not count, so the other kind goes on. */
async function findPinning(
  database: Reader,
  sealed: readonly { readonly signer: string; readonly id: string }[],
): Promise<ReadonlySet<string>> {
  const lanes = [...new Set(sealed.map(({ signer }) => keyLane(signer)))];
  // Besides pins of sealed batches, a key may have one whose event came before its receipt.
  const limit = lanes.length * 4;
  const pins = await database.rows(
    'operations',
    { namespace: every, lane: lanes, status: ['Initialized', 'Pending'], type: 'blockchain_pin_batch' },
    { limit },
  );
  return new Set(pins.map(({ signer }) => signer));
}

/** Reads the waiting messages of all lanes together; undefined if there are too many for one read. */
async function readForAll(database: Database, lanes: readonly SealLane[]): Promise<readonly MessageRow[] | undefined> {
  if (lanes.length === 0) return [];
  const rows = await readWaiting(database, { key: [...new Set(lanes.map(({ key }) => key))] });
  return rows.length < maxLookAhead ? rows : undefined;
}

/**
 * Returns the next messages of a lane that form a batch, or none if all are held back. A full batch leaves messages
 * behind.
 */
async function fillLane(
  { database, rulebook, batching }: BatchParts,
  { key, kind }: SealLane,
  known: readonly MessageRow[] | undefined,
): Promise<{ readonly filled: MessageRow[]; readonly isFull: boolean }> {
  const isOfLane = (row: MessageRow) => row.key === key && kindOf(row) === kind;
  const waiting: MessageRow[] = known?.filter(isOfLane) ?? [];
  const held = await findHeld(database, waiting);
  const maxSteps = (await rulebook.find(database))?.validation.maxBatchSteps;
  for (let isWhole = known !== undefined; ;) {
    const filled = fillBatch(waiting, ({ sequence }) => held.has(sequence), { ...batching, maxSteps });
    if (filled.length > 0 || isWhole) return { filled, isFull: !isWhole || filled.length < waiting.length };
    const group = kind === 'private' ? present : null;
    const page = await readWaiting(database, { key, group, sequence: above(waiting.at(-1)?.sequence ?? 0) });
    waiting.push(...page);
    for (const sequence of await findHeld(database, page)) held.add(sequence);
    isWhole = page.length < maxLookAhead;
  }
}

function kindOf({ group }: MessageRow): SealLane['kind'] {
  return group === null ? 'broadcast' : 'private';
}

function readWaiting(
  database: Reader,
  columns: Columns<'messages'>,
  limit = maxLookAhead,
): Promise<readonly MessageRow[]> {
  const where = { namespace: every, ...columns, state: 'ready', batch: null, txtype: 'batch_pin' } as const;
  return database.rows('messages', where, { limit });
}

/** Returns broadcasts with blobs that are not in the shared store yet (docs/protocol.md §7.3). */
async function findHeld(database: Database, waiting: readonly MessageRow[]): Promise<Set<number>> {
  const withBlobs = waiting.filter((row) => row.hasBlobs && kindOf(row) === 'broadcast');
  const references = withBlobs.flatMap(({ data }) => data);
  const items = await exactItems(database, references);
  const isHeld = ({ data }: MessageRow) => data.some((reference) => isUnpublished(items.get(referenceKey(reference))));
  return new Set(withBlobs.filter(isHeld).map(({ sequence }) => sequence));
}

function isUnpublished(item: DataRow | undefined): boolean {
  assert(item !== undefined, 'the data of a message is stored with it');
  return item.blobHash !== null && item.blobPublic === null;
}

import type { BatchLimits } from '../../domain/messages/batch.js';
import type { Reader } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import { every } from '../../ports/tables/where.js';
import type { BatchRow } from '../../ports/tables/tables.js';
import type { Step } from '../loop.js';
import { keyLane } from '../operations/operation.js';
import type { Rulebook } from '../state/rulebook.js';
import type { Sealer } from '../sealer.js';
import { retryGivenWay } from './given-way.js';
import { createPace, type Pace } from './pace.js';
import { sealInUnit, sealMessages, type SealParts } from './seal.js';
import { fillLanes, kindOf, nameOf, readWaiting, type SealLane } from './waiting.js';

export interface BatchParts extends SealParts {
  readonly failpoint: Failpoint;
  readonly rulebook: Rulebook;
  readonly batching?: Batching | undefined;
}

export interface Batching extends Partial<BatchLimits> {
  /** Milliseconds for which batches of a lane may gather under steady traffic; default 0. */
  readonly paceMs?: number;
}

/** Larger messages are sealed outside units, since a unit delays all others. */
const maxAloneBytes = 8_192;

/**
 * A lane in which very many messages are held back takes at most a sixth of the time of the step, so that it delays
 * others little: 5,000 of them take 1.6 s to read.
 */
const restsPerLook = 5;

export interface BatchStage {
  readonly step: () => Promise<Step>;
  readonly sealer: Sealer;
}

export function createBatchStage(parts: BatchParts): BatchStage {
  const pace = createPace(parts.clock, parts.batching?.paceMs ?? 0);
  const crowded = new Set<string>();
  return { step: createStep(parts, pace, crowded), sealer: createSealer(parts, pace, crowded) };
}

/**
 * Seals lone broadcasts, as the step would at its next run. Nonces belong to an author, who may have several keys, so
 * private messages are sealed only by the step.
 *
 * @param crowded lanes in which the step left messages behind. A message there is not alone, and reading the waiting
 * ones would first have to write the unit's own rows
 */
function createSealer(parts: BatchParts, pace: Pace, crowded: ReadonlySet<string>): Sealer {
  const { failpoint } = parts;
  return {
    async sealAlone(unit, key) {
      // Checked first because it needs few rows: under load the lane is busy, and many messages wait.
      const lane = (await findFreeLanes(unit, [key], await findSealed(unit, [key]))).find(
        ({ kind }) => kind === 'broadcast',
      );
      if (lane === undefined) return undefined;
      const name = nameOf(lane);
      if (crowded.has(name) || pace.restMs(name) > 0) return undefined;
      const [row, ...others] = await readWaiting(unit, { key }, 2);
      // Messages that already wait go first.
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
 * makes it wait; meanwhile messages gather (docs/protocol.md §7.2). So an absent store delays no private message.
 * Messages are read before the transaction. This is safe because the sealer of lone messages seals none while another
 * one waits, and because the transaction checks the lane again.
 *
 * @param crowded set by the step: the lanes in which it left messages behind
 */
function createStep(parts: BatchParts, pace: Pace, crowded: Set<string>): () => Promise<Step> {
  const { database, own, clock, failpoint, rulebook, batching } = parts;
  return async () => {
    let hasSealed = false;
    const waits: number[] = [];
    // Read once for all lanes: batches sealed in this step do not block the other kind of a key.
    const sealed = await findSealed(database, own.keys);
    const bells = await retryGivenWay(parts, sealed);
    const lanes = (await findFreeLanes(database, own.keys, sealed)).filter((lane) => {
      const restMs = pace.restMs(nameOf(lane));
      if (restMs > 0) waits.push(restMs);
      return restMs === 0;
    });
    const maxSteps = lanes.length > 0 ? (await rulebook.find(database))?.validation.maxBatchSteps : undefined;
    const beganMs = clock.monotonicMs();
    const batches = await fillLanes(database, lanes, { ...batching, maxSteps });
    const restMs = restsPerLook * (clock.monotonicMs() - beganMs);
    for (const { lane, messages, isFull, isStuck } of batches) {
      const name = nameOf(lane);
      if (isFull) crowded.add(name);
      else crowded.delete(name);
      if (isStuck && restMs > 0) {
        pace.rest(name, restMs);
        waits.push(restMs);
      }
      if (messages.length === 0) continue;
      const waitMs = isFull ? 0 : pace.waitMs(name, messages.length);
      if (waitMs > 0) waits.push(waitMs);
      if (waitMs > 0 || !(await sealMessages(parts, lane.key, messages))) continue;
      pace.sealed(name, messages.length);
      hasSealed = true;
      await failpoint.reach('batch.after-seal');
    }
    // A sealed lane has no work until its pin is mined, which rings the bell.
    const againAfterMs = waits.length === 0 ? undefined : Math.min(...waits);
    return { hasWorked: false, rings: hasSealed ? ['operations', 'events'] : bells, againAfterMs };
  };
}

/** Returns the batches that are not pinned; after a reorganisation there may be many of one lane. */
function findSealed(database: Reader, keys: readonly string[]): Promise<readonly BatchRow[]> {
  return database.rows('batches', { namespace: every, signer: keys, state: 'sealed' }, { limit: maxSealed });
}

const maxSealed = 10_000;

/**
 * Returns the lanes that may seal now. Broadcasts come first: they are pinned after their upload, so both kinds of a
 * key can be sealed at the same time and neither starves.
 */
async function findFreeLanes(
  database: Reader,
  keys: readonly string[],
  sealed: readonly BatchRow[],
): Promise<SealLane[]> {
  const busy = sealed.length === 0 ? new Set<string>() : await findPinning(database, sealed);
  return keys
    .filter((key) => !busy.has(key))
    .flatMap((key) => (['broadcast', 'private'] as const).map((kind) => ({ key, kind })))
    .filter(({ key, kind }) => !sealed.some(({ signer, type }) => signer === key && type === kind));
}

/**
 * Returns the keys with a pin in flight. A pin that has failed permanently does not count, so the other kind continues.
 */
async function findPinning(
  database: Reader,
  sealed: readonly { readonly signer: string; readonly id: string }[],
): Promise<ReadonlySet<string>> {
  const lanes = [...new Set(sealed.map(({ signer }) => keyLane(signer)))];
  // Besides the pins of sealed batches, a key may have a pin whose event arrived before its receipt.
  const limit = lanes.length * 4;
  const pins = await database.rows(
    'operations',
    { namespace: every, lane: lanes, status: ['Initialized', 'Pending'], type: 'blockchain_pin_batch' },
    { limit },
  );
  return new Set(pins.map(({ signer }) => signer));
}

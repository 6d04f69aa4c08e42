import { randomBytes } from 'node:crypto';
import { createSeededRandom, type SeededRandom } from '../../../src/adapters/random/seeded.js';
import { check, exitCodeOf } from '../../../src/bench/check.js';
import type { Finding, Invariant, Recording } from '../../../src/bench/check/recording.js';
import { type DurableRecorder, recordDurably } from '../../../src/bench/durable-recorder.js';
import { createHttpClient, type HttpClient } from '../../../src/bench/http.js';
import { type LoadRecord, offerLoad } from '../../../src/bench/load/load.js';
import {
  readBlockHash,
  readContract,
  readHead,
  readPayloads,
  readPending,
  readPins,
  readProcessed,
  recordBlocks,
  recordParty,
} from '../../../src/bench/record.js';
import { openSocket } from '../../../src/cli/requests/open-socket.js';
import { createVictimStack, type VictimStack } from './victim-stack.js';

export interface CrashOptions {
  /** The folder of the built package. */
  readonly root: string;
  readonly kills: number;
  readonly ratePerSecond: number;
  readonly seed: number;
  /** Names of the only victims; by default all services. */
  readonly only?: readonly string[];
  readonly onProgress?: (sentence: string) => void;
}

export interface CrashReport {
  readonly kills: number;
  readonly accepted: number;
  /** Sends whose result is unknown. */
  readonly unanswered: number;
  readonly findings: readonly Finding[];
  /** Time from the last kill until nothing was pending. */
  readonly healedMs: number;
  readonly exitCode: 0 | 1 | 2;
  /** The files of the stack, kept if something is wrong. */
  readonly evidence: string | undefined;
}

const required: readonly Invariant[] = ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I9', 'I12', 'I14', 'blocks'];
const healthyMs = 60_000;
const settleMs = 120_000;
const maxHours = 24;
/** A send is repeated during the whole run if necessary; with an idempotency key this is safe. */
const maxRepeats = 36_000;

/** Kills processes of a stack under load, at random times, one or two at once, and checks the result. */
export async function runCrashLoop(options: CrashOptions): Promise<CrashReport> {
  const { root, onProgress = () => undefined } = options;
  const stack = await createVictimStack(root);
  const http = createHttpClient({ timeoutMs: 20_000 });
  const recorders = stack.parties.map((party) => recordDurably(party, { http, openSocket, firstEvent: 'oldest' }));
  const ending = new AbortController();
  let isClean = false;
  try {
    await Promise.all(recorders.map(({ opened }) => opened));
    const blocks = new Map<number, string>();
    const load = offerLoad(http, {
      run: randomBytes(4).toString('hex'),
      parties: stack.parties,
      ratePerSecond: options.ratePerSecond,
      durationMs: maxHours * 3_600_000,
      sizeBytes: 256,
      topics: 8,
      signal: ending.signal,
      maxRepeats,
    });
    const kills = await killAtRandom(stack, http, blocks, options);
    const lastKillMs = performance.now();
    await stack.healthy(healthyMs);
    ending.abort();
    onProgress('the load has ended; waiting for the last messages');
    const sends = await load;
    await settle(stack, http);
    const healedMs = Math.round(performance.now() - lastKillMs);
    const findings = check(await recordAll(stack, http, { sends, recorders, blocks }));
    const accepted = sends.filter(({ id }) => id !== null).length;
    const exitCode = exitCodeOf(findings, required);
    isClean = exitCode === 0;
    const evidence = isClean ? undefined : stack.home;
    return { kills, accepted, unanswered: sends.length - accepted, findings, healedMs, exitCode, evidence };
  } finally {
    ending.abort();
    // If nodes are dead at the end of a failed run, closing a subscription fails; the run's failure counts.
    await Promise.allSettled(recorders.map((recorder) => recorder.close()));
    http.close();
    await (isClean ? stack.remove() : stack.stop());
  }
}

async function killAtRandom(
  stack: VictimStack,
  http: HttpClient,
  blocks: Map<number, string>,
  { kills, seed, only, onProgress = () => undefined }: CrashOptions,
): Promise<number> {
  const random = createSeededRandom(seed);
  let done = 0;
  while (done < kills) {
    await pause(200 + random.integer(2_000));
    const living = (await stack.victims()).filter(({ name }) => only?.includes(name) ?? true);
    const victims = drawVictims(random, living, kills - done);
    const killed = victims.filter((victim) => stack.kill(victim));
    done += killed.length;
    onProgress(`${done}/${kills}: killed ${killed.map(({ name }) => name).join(' and ')}`);
    if (killed.some(({ name }) => name === 'supervisor')) {
      // Sometimes at once, sometimes after its children have ended.
      await pause(random.integer(1_500));
      await stack.start();
    }
    // Sometimes the next kill comes while the stack still recovers from the last one.
    if (random.fraction() < 0.7) await stack.healthy(healthyMs);
    await lookAtBlocks(stack, http, blocks);
  }
  return done;
}

function drawVictims<V>(random: SeededRandom, victims: readonly V[], most: number): V[] {
  const first = random.integer(victims.length);
  const isDouble = most > 1 && victims.length > 1 && random.fraction() < 0.3;
  const other = isDouble ? (first + 1 + random.integer(victims.length - 1)) % victims.length : first;
  return victims.filter((_, index) => index === first || index === other);
}

/** Records the hash of the newest block. A chain that is away shows none. */
async function lookAtBlocks(stack: VictimStack, http: HttpClient, blocks: Map<number, string>): Promise<void> {
  try {
    const head = await readHead(http, stack.chainUrl);
    const hash = await readBlockHash(http, stack.chainUrl, head);
    if (hash !== null) blocks.set(head, hash);
  } catch (error) {
    const isAway = error instanceof Error && 'code' in error;
    if (!isAway) throw error;
  }
}

/**
 * Waits until no node has anything pending and each has read the whole chain, twice in a row with the same head, since
 * a node has nothing pending for what it has not received yet.
 */
async function settle({ chainUrl, parties }: VictimStack, http: HttpClient): Promise<void> {
  const deadlineMs = performance.now() + settleMs;
  let before: number | undefined;
  while (performance.now() < deadlineMs) {
    const head = await readHead(http, chainUrl);
    const atRest = await Promise.all(
      parties.map(
        async (party) => (await readProcessed(http, party)) >= head && (await readPending(http, party)) === 0,
      ),
    );
    const isQuiet = atRest.every(Boolean);
    if (isQuiet && head === before) return;
    before = isQuiet ? head : undefined;
    await pause(250);
  }
}

interface Evidence {
  readonly sends: readonly LoadRecord[];
  readonly recorders: readonly DurableRecorder[];
  readonly blocks: ReadonlyMap<number, string>;
}

async function recordAll(stack: VictimStack, http: HttpClient, evidence: Evidence): Promise<Recording> {
  const { chainUrl, storeUrl, parties } = stack;
  const [first] = parties;
  if (first === undefined) throw new Error('a stack has parties');
  const pins = await readPins(http, chainUrl, await readContract(http, first), 0);
  const recorded = parties.map((party, index) => {
    const recorder = evidence.recorders[index];
    if (recorder === undefined) throw new Error('every party has a recorder');
    return recordParty(http, party, recorder);
  });
  return {
    sends: evidence.sends,
    parties: await Promise.all(recorded),
    pins,
    payloads: await readPayloads(http, storeUrl, pins),
    blocks: await recordBlocks(http, chainUrl, evidence.blocks),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

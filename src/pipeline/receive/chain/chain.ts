import {
  type Blockchain,
  ChainError,
  type LogPage,
  type NetworkLog,
  type PageAnswer,
} from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database, Unit } from '../../../ports/database.js';
import type { Failpoint } from '../../../ports/failpoint.js';
import type { Judge } from '../../../ports/judge.js';
import type { Metrics } from '../../../ports/metrics.js';
import type { Random } from '../../../ports/random.js';
import type { ProfileRules } from '../../../domain/network/profile.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import type { Bell, Bus } from '../../bus.js';
import type { AfterCommit, Decider } from '../../decider.js';
import { isBehind, readCursor, readPositions, storeCursor } from '../../state/chain/cursor.js';
import type { Registry } from '../../state/identities/registry.js';
import type { Rulebook } from '../../state/rulebook.js';
import { type Ahead, createAhead } from './ahead.js';
import { type Applied, nothingApplied, type SourceApplier, type SourceWrite, writeAll } from './applier.js';
import { type Examined, withExamined } from '../messages/examined.js';
import type { NonceGaps } from '../messages/nonces.js';
import { applyMembership, isMembershipLog } from '../member.js';
import { applyPins } from './pin.js';
import { revisionOf, type Sources } from './sources.js';

export interface ReceiveChainParts {
  readonly database: Database;
  readonly judge: Judge;
  readonly blockchain: Blockchain;
  readonly registry: Registry;
  readonly nonceGaps: NonceGaps;
  readonly rulebook: Rulebook;
  readonly own: OwnIdentity;
  readonly profileRules: ProfileRules;
  readonly namespaces: readonly string[];
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
  readonly sources: Sources;
  readonly decider: Decider;
  readonly appliers: readonly SourceApplier[];
  /** Called when the chain is not the one that the rows belong to; the node must stop. */
  readonly onForeignChain: (error: Error) => void;
}

export interface ChainReceiver {
  start(): void;
  stop(): Promise<void>;
  processedBlock(): number;
  /** Whether the chain has been verified to be the one that the rows belong to. */
  isFollowing(): boolean;
}

/**
 * Follows the chain's logs: members, pins and contract events (docs/protocol.md §4.3). Each page becomes rows and a
 * cursor in one transaction, so a repeated page has no effect. A page read before a source was added lacks that
 * source's logs and is read again.
 */
export function createChainReceiver(parts: ReceiveChainParts): ChainReceiver {
  const { database, blockchain, registry, rulebook, sources, metrics, bus, failpoint, onForeignChain } = parts;
  const ahead = createAhead(parts);
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let processed = 0;
  let following = false;
  const onFollowing = (): void => {
    following = true;
  };

  async function run(): Promise<void> {
    try {
      await rulebook.refresh(database);
      await sources.refresh();
      const { read: after, begun } = await readPositions(database);
      processed = after?.block ?? 0;
      ahead.begin(after, begun);
      bus.ring('blocks');
      const { selection } = sources;
      await blockchain.watch({ after, selection, handler: receivePage, onFollowing, signal: stopping.signal });
    } catch (error) {
      if (stopping.signal.aborted) return;
      onForeignChain(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async function receivePage(page: LogPage): Promise<PageAnswer> {
    await failpoint.reach('index.after-read');
    const applied = await storePage(page, { ...parts, ahead, signal: stopping.signal }).catch(stopIfForeign);
    if (applied === 'stale') {
      await sources.refresh();
      return 'stale';
    }
    await failpoint.reach('index.after-commit');
    // Called first, so that nothing is lost if a later read fails: the page would then count as known.
    const rings = await applied.conclude();
    if (networkLogs(page).some(isMembershipLog)) registry.changed();
    if (networkLogs(page).some(({ type }) => type === 'network_created')) await rulebook.refresh(database);
    await registry.keepOwners(database, signersOf(page));
    processed = page.cursor.block;
    ahead.end(page);
    for (const [name, by] of Object.entries(applied.counts)) metrics.count(name, by);
    // Rings `blocks` even for empty pages: operations wait for block numbers.
    bus.ring('blocks', ...applied.bells, ...rings);
    return 'taken';
  }

  /** Stops the receiver if the page shows another chain; a retry could not help. */
  function stopIfForeign(error: unknown): never {
    if (error instanceof ChainError && error.reason === 'other_chain') {
      stopping.abort('another chain');
      onForeignChain(error);
    }
    throw error;
  }

  return {
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
    processedBlock: () => processed,
    isFollowing: () => following,
  };
}

async function storePage(
  page: LogPage,
  parts: ReceiveChainParts & { readonly ahead: Ahead; readonly signal: AbortSignal },
): Promise<AppliedPage | 'stale'> {
  const { database, judge, own, ahead, signal } = parts;
  const writes = await ahead.write(page);
  const turn = { isBulk: isLarge(page) };
  return withExamined({ database, judge, signal, turn }, pinnedHere(page, own), (unit, examined) =>
    applyPage(unit, page, { ...parts, examined, writes }),
  );
}

interface PageParts extends ReceiveChainParts {
  readonly examined: Examined;
  /** The writes for logs of contracts that were not run before the unit. */
  readonly writes: readonly SourceWrite[];
}

/** Returns the hashes of batches whose payloads may be stored here: our own and private ones. */
function pinnedHere({ logs }: LogPage, { keys }: OwnIdentity): string[] {
  const pins = logs.flatMap((log) => (log.type === 'batch_pin' ? [log] : []));
  return pins
    .filter(({ signer, payloadRef }) => payloadRef === '' || keys.includes(signer))
    .map((pin) => pin.batchHash);
}

/** More than a page of ordinary traffic has. */
const maxContexts = 200;

/** Whether writing the page takes so long that other units should go first. */
function isLarge({ logs }: LogPage): boolean {
  return logs.reduce((sum, log) => sum + (log.type === 'batch_pin' ? log.contexts.length : 0), 0) > maxContexts;
}

function signersOf({ logs }: LogPage): string[] {
  return logs.flatMap((log) => (log.type === 'batch_pin' ? [log.signer] : []));
}

type AppliedPage = Applied & { readonly conclude: AfterCommit };

async function applyPage(unit: Unit, page: LogPage, parts: PageParts): Promise<AppliedPage | 'stale'> {
  const before = await readCursor(unit);
  if (isBehind(before, page.cursor)) return { ...nothingApplied, conclude: nothingToDo };
  if ((await revisionOf(unit)) > page.revision) return 'stale';
  const bells = new Set<Bell>();
  // Members and pins are applied in one order: a key belongs to nobody before the log that registers it.
  const placed = { ...parts, contract: page.cursor.contract };
  for (const run of runsOf(page)) {
    const rung = isMembershipLog(run[0])
      ? await applyMembership(unit, run.filter(isMembershipLog), placed)
      : await applyPins(
          unit,
          run.flatMap((log) => (log.type === 'batch_pin' ? [log] : [])),
          placed,
        );
    for (const bell of rung) bells.add(bell);
  }
  const applied = await writeAll(unit, parts.writes);
  await storeCursor(unit, before, page.cursor);
  const conclude = bells.delete('due') ? await parts.decider.decideFew(unit) : nothingToDo;
  return { bells: [...bells, ...applied.bells], counts: applied.counts, conclude };
}

const nothingToDo: AfterCommit = () => Promise.resolve([]);

function networkLogs({ logs }: LogPage): NetworkLog[] {
  return logs.flatMap((log) => (log.type === 'contract_log' ? [] : [log]));
}

/** Splits the network's logs, in order, into runs of membership logs and runs of pins; each run is written at once. */
function runsOf(page: LogPage): [NetworkLog, ...NetworkLog[]][] {
  const runs: [NetworkLog, ...NetworkLog[]][] = [];
  for (const log of networkLogs(page)) {
    const run = runs.at(-1);
    if (run !== undefined && isMembershipLog(run[0]) === isMembershipLog(log)) run.push(log);
    else runs.push([log]);
  }
  return runs;
}

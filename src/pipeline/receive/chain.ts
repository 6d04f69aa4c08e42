import { type Blockchain, type ChainCursor, ChainError, type LogPage } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, Unit } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Random } from '../../ports/random.js';
import { equal } from '../../wire/query.js';
import { systemNamespace } from '../../domain/identity.js';
import type { OwnIdentity } from '../accept/author.js';
import type { Bell, Bus } from '../bus.js';
import { networkSource, readCursor } from '../cursor.js';
import type { Registry } from '../registry.js';
import { applyMembership, isMembershipLog } from './member.js';
import { applyPins } from './pin.js';

export interface ReceiveChainParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly registry: Registry;
  readonly own: OwnIdentity;
  /** Namespaces of this node, the system's among them. */
  readonly namespaces: readonly string[];
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
  /** Told when the chain is not the one that the rows belong to: the node must stop. */
  readonly onForeignChain: (error: Error) => void;
}

export interface ChainReceiver {
  start(): void;
  stop(): Promise<void>;
  /** The last block whose logs are in the database. */
  processedBlock(): number;
}

/**
 * Follows the one stream of membership and pins (S §8.3): each page becomes rows and a cursor in one transaction, so a
 * page that comes twice changes nothing.
 */
export function createChainReceiver(parts: ReceiveChainParts): ChainReceiver {
  const { database, blockchain, registry, bus, failpoint, onForeignChain } = parts;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let processed = 0;

  async function run(): Promise<void> {
    try {
      const cursor = await readCursor(database);
      processed = cursor?.block ?? 0;
      await blockchain.watch(cursor, receivePage, stopping.signal);
    } catch (error) {
      if (stopping.signal.aborted) return;
      onForeignChain(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async function receivePage(page: LogPage): Promise<void> {
    await failpoint.reach('index.after-read');
    const bells = await database.transaction((unit) => applyPage(unit, page, parts)).catch(stopIfForeign);
    await failpoint.reach('index.after-commit');
    if (page.logs.some(isMembershipLog)) registry.changed();
    await registry.keepOwners(database, signersOf(page));
    processed = page.cursor.block;
    bus.ring(...bells);
  }

  /** A page that shows another history is not tried again: nothing more is read or written. */
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
  };
}

function signersOf({ logs }: LogPage): string[] {
  return logs.flatMap((log) => (log.type === 'batch_pin' ? [log.signer] : []));
}

async function applyPage(unit: Unit, page: LogPage, parts: ReceiveChainParts): Promise<readonly Bell[]> {
  if (await isBehind(unit, page.cursor)) return [];
  const bells = new Set<Bell>();
  // Membership and pins share one order: a key owns nothing before the log that registers it.
  for (const run of runsOf(page)) {
    const rung = isMembershipLog(run[0])
      ? await applyMembership(unit, run.filter(isMembershipLog), parts)
      : await applyPins(
          unit,
          run.flatMap((log) => (log.type === 'batch_pin' ? [log] : [])),
          parts,
        );
    for (const bell of rung) bells.add(bell);
  }
  await storeCursor(unit, page.cursor);
  return [...bells];
}

/** A page that is already in the rows, handed over again. */
async function isBehind(unit: Unit, cursor: ChainCursor): Promise<boolean> {
  const row = await readCursor(unit);
  if (row === undefined) return false;
  if (row.genesisHash !== cursor.genesisHash || row.contract !== cursor.contract) {
    throw new ChainError(
      'other_chain',
      'The chain or its contract is another than the one that this node has read before.',
    );
  }
  return row.block >= cursor.block;
}

type Log = LogPage['logs'][number];

/** The logs in their order, cut where membership and pins alternate, so that each piece can be written at once. */
function runsOf({ logs }: LogPage): [Log, ...Log[]][] {
  const runs: [Log, ...Log[]][] = [];
  for (const log of logs) {
    const run = runs.at(-1);
    if (run !== undefined && isMembershipLog(run[0]) === isMembershipLog(log)) run.push(log);
    else runs.push([log]);
  }
  return runs;
}

async function storeCursor(unit: Unit, { genesisHash, contract, block, blockHash }: ChainCursor): Promise<void> {
  const changes = { genesisHash, contract, block, blockHash };
  const selection = { namespace: systemNamespace, where: [equal('source', networkSource)] };
  if ((await unit.update('cursors', selection, changes)) === 0) {
    await unit.insert('cursors', [{ namespace: systemNamespace, source: networkSource, ...changes }]);
  }
}

import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import {
  type Blockchain,
  ChainError,
  type ChainCursor,
  type LogPage,
  type Watching,
} from '../../../ports/blockchain.js';
import { createWakeSignal } from '../connection/wake-signal.js';
import { createBackOff, deliverPage, joinSignals } from './delivery.js';
import { type Headers, createHeaders, readHeader } from './header.js';
import type { Link, Linker } from '../connection/link.js';
import type { Proofs } from './proofs.js';
import { behind, createRangeReader, isOnChain, readBlock, readHead } from './range.js';

/** Interval of polling, so that a lost head delays logs by at most this. */
const sweepMs = 5_000;
/** A node starts together with the chain of its stack, and a chain that has ended is soon restarted. */
const soonMs = 60_000;
/** A reader without logs gets a cursor at least this often, so that it never has to re-read far. */
const maxSilentBlocks = 128;
/**
 * Servers that limit requests, or are behind others, fail often and answer the next request: neither a single failure
 * is logged, nor more than one in a minute.
 */
const loggedFailures = 2;
const quietMs = 60_000;

export interface LogsOptions {
  readonly linker: Linker;
  readonly proofs: Proofs;
  readonly contract: string;
  readonly firstBlock: number;
  readonly confirmations: number;
  /** Whether several servers may answer, of which some are behind others. */
  readonly mayLag: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

type Watch = Blockchain['watch'];

/** Creates `watch` of the port over JSON-RPC: new heads trigger reading ranges of logs. */
export function createLogs(options: LogsOptions): Watch {
  return async (watching) => {
    const { linker, mayLag, clock, log } = options;
    const ended = joinSignals(watching.signal, linker.closed);
    const backOff = createBackOff(clock, mayLag ? {} : { soonMs });
    let failures = 0;
    let isLogged = false;
    let loggedAtMs = Number.NEGATIVE_INFINITY;
    const failed = (error: unknown): void => {
      failures += 1;
      const isQuiet = failures < loggedFailures || clock.monotonicMs() - loggedAtMs < quietMs;
      if (isLogged || isQuiet) return;
      log.warn('The chain cannot be read; trying again', { error });
      isLogged = true;
      loggedAtMs = clock.monotonicMs();
    };
    const arrived = (): void => {
      if (isLogged) log.info('The chain can be read again');
      isLogged = false;
      failures = 0;
      backOff.reset();
    };
    const reader = createReader(options, { ...watching, signal: ended.signal, arrived });
    try {
      while (!ended.signal.aborted) {
        try {
          await reader.follow(await linker.link());
        } catch (error) {
          if (error instanceof ChainError && error.reason === 'other_chain') throw error;
          if (!ended.signal.aborted) failed(error);
        }
        await backOff.wait(ended.signal);
      }
    } finally {
      ended.release();
    }
  };
}

interface Reading extends Watching {
  /** Called after each successful read, as a sign that the chain works. */
  readonly arrived: () => void;
}

/** The position of a reader, and its delivery of pages. */
interface Pages {
  cursor(): ChainCursor | undefined;
  /** Revision of the selection of the last read. */
  revision(): number;
  /** Reads and delivers everything up to `last`. Returns early if the signal aborts. */
  readUpTo(link: Link, headers: Headers, last: number): Promise<void>;
}

function createPages({ contract, firstBlock, mayLag, proofs, clock, log }: LogsOptions, reading: Reading): Pages {
  const { selection, signal } = reading;
  const ranges = createRangeReader({ mayLag });
  let cursor = reading.after;
  /** Cursor of the last delivered page: the blocks between it and `cursor` were empty. */
  let taken = reading.after;
  let revision = selection().revision;

  /**
   * Delivers pages with logs and the last page, since callers wait for blocks to be read even if they are empty. Stops
   * at a page that is not taken, which must be read again.
   */
  async function handOver(pages: readonly LogPage[], last: number): Promise<void> {
    for (const page of pages) {
      const { block } = page.cursor;
      if (page.logs.length > 0 || block === last || block - (taken?.block ?? 0) >= maxSilentBlocks) {
        const answer = await deliverPage({ page, watching: reading, clock, log });
        if (answer !== 'taken') {
          cursor = taken;
          return;
        }
        taken = page.cursor;
      }
      cursor = page.cursor;
    }
  }

  async function readUpTo(link: Link, headers: Headers, last: number): Promise<void> {
    cursor ??= await startOf(link, contract, firstBlock);
    taken ??= cursor;
    for (;;) {
      const selected = selection();
      // Blocks without logs for the previous selection may have some for this one.
      if (selected.revision !== revision) cursor = taken;
      revision = selected.revision;
      if (signal.aborted || cursor.block >= last) return;
      const range = { connection: link.connection, chainId: link.chainId, headers, cursor, last, selection: selected };
      const pages = await ranges.read(range);
      for (const { logs } of pages) proofs.seen(logs);
      await handOver(pages, last);
      reading.arrived();
    }
  }

  return { cursor: () => cursor, revision: () => revision, readUpTo };
}

interface Reader {
  /** Reads over one connection until it breaks or the signal aborts. The next call continues from there. */
  follow(link: Link): Promise<void>;
}

function createReader(options: LogsOptions, reading: Reading): Reader {
  const { contract, confirmations, mayLag, proofs, clock } = options;
  const { selection, signal } = reading;
  const pages = createPages(options, reading);

  return {
    async follow(link) {
      const { connection } = link;
      const headers = createHeaders();
      const wake = createWakeSignal(clock);
      let head = -1;
      let announced = 0;
      let isSuspect = false;
      let unsubscribe: (() => Promise<void>) | undefined;

      function seeHead(answer: unknown): void {
        const header = readHeader(answer);
        isSuspect ||= header.number <= head;
        head = header.number;
        announced += 1;
        headers.add(header);
        wake.ring();
      }

      /** Requests the head. A head that was announced meanwhile takes precedence: the answer may be older. */
      async function askHead(): Promise<void> {
        const before = announced;
        const number = await readHead(connection);
        if (announced !== before) return;
        // A server that is behind takes nothing back.
        if (mayLag && number < head) return;
        // Blocks that were not announced may have replaced those that were.
        if (number > head) headers.clear();
        head = number;
      }

      const stopRinging = ringOn([signal, connection.closed], wake.ring);
      const stopProving = proofs.begin();
      try {
        const known = pages.cursor();
        if (known !== undefined) await assertSameChain(link, contract, known, mayLag);
        reading.onFollowing?.();
        unsubscribe = await connection.subscribeHeads(seeHead);
        await askHead();
        while (!signal.aborted && !connection.closed.aborted) {
          await pages.readUpTo(link, headers, head - confirmations);
          reading.arrived();
          const { superseded, revision: newest } = selection();
          if (newest !== pages.revision()) continue;
          if (pages.cursor()?.block === head - confirmations) proofs.caughtUp();
          const stopListening = ringOn(superseded === undefined ? [] : [superseded], wake.ring);
          const isRung = await wake.wait(sweepMs);
          stopListening();
          if (signal.aborted || connection.closed.aborted) break;
          if (!isRung) await askHead();
          const cursor = pages.cursor();
          if (cursor !== undefined && (!isRung || isSuspect)) await isOnChain(connection, cursor, { mayLag });
          isSuspect = false;
        }
      } finally {
        // Each attempt subscribes again, also after an error that leaves the connection open.
        if (!connection.closed.aborted) await unsubscribe?.();
        stopProving();
        stopRinging();
      }
    },
  };
}

/** Rings when one of the signals aborts. Returns the function that undoes that. */
function ringOn(signals: readonly AbortSignal[], ring: () => void): () => void {
  for (const signal of signals) signal.addEventListener('abort', ring);
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', ring);
  };
}

/** The position before the contract's first block. The genesis block has no logs. */
async function startOf(link: Link, contract: string, firstBlock: number): Promise<ChainCursor> {
  const { number, hash } = await readBlock(link.connection, Math.max(0, firstBlock - 1));
  return { genesisHash: link.genesisHash, contract, block: number, blockHash: hash };
}

/**
 * Rejects with `other_chain` unless genesis, contract and the cursor's block are those of this chain
 * (docs/architecture.md §9.2), and with `unreachable` if the server may be behind and does not have that block.
 */
async function assertSameChain(link: Link, contract: string, cursor: ChainCursor, mayLag: boolean): Promise<void> {
  if (cursor.genesisHash !== link.genesisHash) {
    const sentence = `This node has read a chain with genesis ${cursor.genesisHash}; this one has ${link.genesisHash}.`;
    throw new ChainError('other_chain', sentence);
  }
  if (cursor.contract !== contract) {
    const sentence = `This node has read the contract at ${cursor.contract}, not the one at ${contract}.`;
    throw new ChainError('other_chain', sentence);
  }
  if (!(await isOnChain(link.connection, cursor, { mayLag }))) throw behind(cursor.block);
}

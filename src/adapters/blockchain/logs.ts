import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { type Blockchain, ChainError, type ChainCursor, type LogPage, type Watching } from '../../ports/blockchain.js';
import { createBell } from './bell.js';
import { createBackOff, deliverPage, joinSignals } from './delivery.js';
import { type Headers, createHeaders, readHeader } from './header.js';
import type { Link, Linker } from './link.js';
import type { Proofs } from './proofs.js';
import { assertOnChain, createRangeReader, readBlock, readHead } from './range.js';

/** The net below the doorbell: a lost head costs at most this long. */
const sweepMs = 5_000;
/** A reader without news of its own gets a cursor at least this often, so that it never reads far again. */
const maxSilentBlocks = 128;

export interface LogsOptions {
  readonly linker: Linker;
  readonly proofs: Proofs;
  readonly contract: string;
  readonly firstBlock: number;
  readonly confirmations: number;
  readonly clock: Clock;
  readonly log: Log;
}

type Watch = Blockchain['watch'];

/** `watch` of the port, over JSON-RPC: heads are the doorbell, ranges of logs the content. */
export function createLogs(options: LogsOptions): Watch {
  return async (watching) => {
    const { linker, clock, log } = options;
    const ended = joinSignals(watching.signal, linker.closed);
    const backOff = createBackOff(clock);
    let isAway = false;
    const arrived = (): void => {
      if (isAway) log.info('The chain can be read again');
      isAway = false;
      backOff.reset();
    };
    const reader = createReader(options, { ...watching, signal: ended.signal, arrived });
    try {
      while (!ended.signal.aborted) {
        try {
          await reader.follow(await linker.link());
        } catch (error) {
          if (error instanceof ChainError && error.reason === 'other_chain') throw error;
          if (!isAway && !ended.signal.aborted) log.warn('The chain cannot be read and is tried again', { error });
          isAway = true;
        }
        await backOff.wait(ended.signal);
      }
    } finally {
      ended.release();
    }
  };
}

interface Reading extends Watching {
  /** Called whenever something was read: the chain is well. */
  readonly arrived: () => void;
}

/** Where a reader is, and what it hands over. */
interface Pages {
  cursor(): ChainCursor | undefined;
  /** Of the selection that was read with last. */
  revision(): number;
  /** Everything up to `last`. Returns early when the signal aborts. */
  readUpTo(link: Link, headers: Headers, last: number): Promise<void>;
}

function createPages({ contract, firstBlock, proofs, clock, log }: LogsOptions, reading: Reading): Pages {
  const { selection, signal } = reading;
  const ranges = createRangeReader();
  let cursor = reading.after;
  /** Of the last page that was handed over: what lies between it and `cursor` was empty. */
  let taken = reading.after;
  let revision = selection().revision;

  /**
   * Hands over what has logs, and the last page, since others wait until blocks are read that brought nothing; until
   * one is not taken: from there it is to be read again.
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
      // What had no logs for the selection before may have some for this one.
      if (selected.revision !== revision) cursor = taken;
      revision = selected.revision;
      if (signal.aborted || cursor.block >= last) return;
      const range = { connection: link.connection, headers, cursor, last, selection: selected };
      const pages = await ranges.read(range);
      for (const { logs } of pages) proofs.seen(logs);
      await handOver(pages, last);
      reading.arrived();
    }
  }

  return { cursor: () => cursor, revision: () => revision, readUpTo };
}

interface Reader {
  /** Reads along one connection until it breaks or the signal aborts. The next one goes on where this one was. */
  follow(link: Link): Promise<void>;
}

function createReader(options: LogsOptions, reading: Reading): Reader {
  const { contract, confirmations, proofs, clock } = options;
  const { selection, signal } = reading;
  const pages = createPages(options, reading);

  return {
    async follow(link) {
      const { connection } = link;
      const headers = createHeaders();
      const bell = createBell(clock);
      let head = -1;
      let isSuspect = false;

      function seeHead(answer: unknown): void {
        const header = readHeader(answer);
        isSuspect ||= header.number <= head;
        head = header.number;
        headers.add(header);
        bell.ring();
      }

      const stopRinging = ringOn([signal, connection.closed], bell.ring);
      const stopProving = proofs.begin();
      try {
        const known = pages.cursor();
        if (known !== undefined) await assertSameChain(link, contract, known);
        reading.onFollowing?.();
        const subscription = await connection.subscribeHeads(seeHead);
        head = Math.max(head, await readHead(connection));
        while (!signal.aborted && !connection.closed.aborted) {
          await pages.readUpTo(link, headers, head - confirmations);
          reading.arrived();
          const { superseded, revision: newest } = selection();
          if (newest !== pages.revision()) continue;
          if (pages.cursor()?.block === head - confirmations) proofs.caughtUp();
          const stopListening = ringOn(superseded === undefined ? [] : [superseded], bell.ring);
          const isRung = await bell.wait(sweepMs);
          stopListening();
          if (signal.aborted || connection.closed.aborted) break;
          if (!isRung) head = await readHead(connection);
          const cursor = pages.cursor();
          if (cursor !== undefined && (!isRung || isSuspect)) await assertOnChain(connection, cursor);
          isSuspect = false;
        }
        if (!connection.closed.aborted) await connection.unsubscribe(subscription);
      } finally {
        stopProving();
        stopRinging();
      }
    },
  };
}

/** Rings when one of the signals aborts. Returns what takes that back. */
function ringOn(signals: readonly AbortSignal[], ring: () => void): () => void {
  for (const signal of signals) signal.addEventListener('abort', ring);
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', ring);
  };
}

/** The place before the contract's first block. Nothing of ours is in the genesis block. */
async function startOf(link: Link, contract: string, firstBlock: number): Promise<ChainCursor> {
  const { number, hash } = await readBlock(link.connection, Math.max(0, firstBlock - 1));
  return { genesisHash: link.genesisHash, contract, block: number, blockHash: hash };
}

/**
 * Rejects with `other_chain` unless genesis, contract and the cursor's block are those of this chain (assurance B22).
 */
async function assertSameChain(link: Link, contract: string, cursor: ChainCursor): Promise<void> {
  if (cursor.genesisHash !== link.genesisHash) {
    const sentence = `This node has read a chain with genesis ${cursor.genesisHash}; this one has ${link.genesisHash}.`;
    throw new ChainError('other_chain', sentence);
  }
  if (cursor.contract !== contract) {
    const sentence = `This node has read the contract at ${cursor.contract}, not the one at ${contract}.`;
    throw new ChainError('other_chain', sentence);
  }
  await assertOnChain(link.connection, cursor);
}

import { type Blockchain, ChainError, type ContractLog, type LogSource } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Link, Linker } from '../connection/link.js';
import { RpcError } from '../connection/rpc-error.js';
import { createBackOff } from './delivery.js';
import type { Headers } from './header.js';
import { type BlockRange, filterOf, type PlacedLog, placeLogs, withInputs } from './placed.js';
import { completeLog, maxLagBlocks, readBlock, readBlockLogs, readHead, readTimes } from './range.js';

const maxSpanBlocks = 1_000;
/** The limit of logs in one result with several blocks, since any contract may make as many as it likes. */
const maxLogs = 20_000;

/** A server that does not have a block of the network yet is asked for it again for this long. */
const maxLagMs = 15_000;

export interface HistoryOptions {
  readonly linker: Linker;
  readonly clock: Clock;
  /** Whether several servers may answer, of which some are behind others. */
  readonly mayLag: boolean;
}

/**
 * Creates `readLogs` of the port, with as many requests as the server's limits require. If servers may be behind, the
 * newest blocks are read one by one, as when the chain is followed.
 */
export function createHistory({ linker, clock, mayLag }: HistoryOptions): Blockchain['readLogs'] {
  let spanBlocks = maxSpanBlocks;

  /** Returns the logs in a range; undefined if the server did not give those of so many blocks. */
  async function ask(source: LogSource, range: BlockRange): Promise<readonly PlacedLog[] | undefined> {
    const { connection } = await linker.link();
    try {
      const answer = await connection.request('eth_getLogs', [filterOf(range, [source])]);
      // Grows slowly, so that the server's limit is rarely exceeded again.
      spanBlocks = Math.min(maxSpanBlocks, spanBlocks + Math.ceil(spanBlocks / 8));
      return placeLogs(answer, range, [source]);
    } catch (error) {
      // Servers report a range that is too large in different ways, and too long a response ends the connection. A
      // failure on a single block is another error.
      const isPerhapsTooLarge = error instanceof RpcError || error instanceof ChainError;
      if (!isPerhapsTooLarge || range.from === range.to) throw error;
      spanBlocks = Math.max(1, Math.floor((range.to - range.from + 1) / 2));
      return undefined;
    }
  }

  /** Asks again and again, since a failure at one of the last blocks would begin a long history anew. */
  async function readNewest(source: LogSource, block: number): Promise<readonly ContractLog[]> {
    const backOff = createBackOff(clock);
    for (const endMs = clock.monotonicMs() + maxLagMs; ;) {
      try {
        const link = await linker.link();
        const header = await readBlock(link.connection, block);
        const placed = await readBlockLogs(link.connection, header, [source]);
        return await complete(link, source, placed, { at: () => header });
      } catch (error) {
        if (linker.closed.aborted || clock.monotonicMs() > endMs) throw error;
        await backOff.wait(linker.closed);
      }
    }
  }

  /** The last block that every server has. */
  async function lastSafe(to: number): Promise<number> {
    return mayLag ? (await readHead((await linker.link()).connection)) - maxLagBlocks : to;
  }

  return async (source, from, to) => {
    const safe = await lastSafe(to);
    const parts: (readonly ContractLog[])[] = [];
    let count = 0;
    const add = (more: number): void => {
      count += more;
      if (count <= maxLogs || from === to) return;
      throw new ChainError('too_many_logs', `The blocks ${from} to ${to} have more than ${maxLogs} logs.`);
    };
    for (let start = from; start <= to;) {
      if (start > safe) {
        const newest = await readNewest(source, start);
        add(newest.length);
        parts.push(newest);
        start += 1;
        continue;
      }
      const range = { from: start, to: Math.min(to, safe, start + spanBlocks - 1) };
      const placed = await ask(source, range);
      if (placed === undefined) continue;
      add(placed.length);
      parts.push(await complete(await linker.link(), source, placed, { at: () => undefined }));
      start = range.to + 1;
    }
    return parts.flat();
  };
}

/** Adds the times of their blocks to logs, and the inputs of their transactions if the source requests them. */
async function complete(
  { connection, chainId }: Link,
  source: LogSource,
  placed: readonly PlacedLog[],
  headers: Pick<Headers, 'at'>,
): Promise<readonly ContractLog[]> {
  const times = await readTimes(connection, headers, placed);
  const logs = placed.map((log) => completeLog(log, times, new Map(), chainId));
  return withInputs(
    connection,
    logs.filter((log) => log.type === 'contract_log'),
    [source],
  );
}

import { type Blockchain, ChainError, type ContractLog, type LogSource } from '../../../ports/blockchain.js';
import type { Link, Linker } from '../connection/link.js';
import { RpcError } from '../connection/rpc-error.js';
import { type BlockRange, filterOf, type PlacedLog, placeLogs, withInputs } from './placed.js';
import { completeLog, readTimes } from './range.js';

const maxSpanBlocks = 1_000;
/** The limit of logs in one result with several blocks, since any contract may make as many as it likes. */
const maxLogs = 20_000;

/** Creates `readLogs` of the port, with as many requests as the server's limits require. */
export function createHistory(linker: Linker): Blockchain['readLogs'] {
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

  return async (source, from, to) => {
    const parts: (readonly ContractLog[])[] = [];
    let count = 0;
    for (let start = from; start <= to;) {
      const range = { from: start, to: Math.min(to, start + spanBlocks - 1) };
      const placed = await ask(source, range);
      if (placed === undefined) continue;
      count += placed.length;
      if (count > maxLogs && from < to) {
        throw new ChainError('too_many_logs', `The blocks ${from} to ${to} have more than ${maxLogs} logs.`);
      }
      parts.push(await complete(await linker.link(), source, placed));
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
): Promise<readonly ContractLog[]> {
  const times = await readTimes(connection, { at: () => undefined }, placed);
  const logs = placed.map((log) => completeLog(log, times, new Map(), chainId));
  return withInputs(
    connection,
    logs.filter((log) => log.type === 'contract_log'),
    [source],
  );
}

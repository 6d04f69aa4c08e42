import type { Blockchain, ContractLog, ContractQuery, LogSource, QueryAnswer } from '../../ports/blockchain.js';
import { decodeRevert } from './abi.js';
import { type Connection, RpcError } from './connection.js';
import { readQuantity, readText } from './header.js';
import type { Linker } from './link.js';
import { type BlockRange, filterOf, hexOf, placeLogs, withInputs } from './placed.js';
import { completeLog, readTimes } from './range.js';

const maxSpanBlocks = 1_000;

/** How servers say that it was the contract, or its machine, that would not. */
const revertWords = new RegExp(
  [
    ...['revert', 'out of gas', 'invalid opcode', 'invalid jump', 'stack (?:under|over)flow', 'gas required exceeds'],
    // That it cannot even begin with the gas that was named, or that nobody may name so much.
    ...['requires at least \\d+ gas', 'intrinsic gas too low', 'gas limit .* greater than the cap'],
  ].join('|'),
  'i',
);

/** A revert as a server tells of it. */
export interface Revert {
  readonly status: 'reverted';
  readonly reason: string;
  readonly data: string;
}

/** What a server's error says of a contract that was asked; undefined if it is about something else. */
export function toRevert({ code, data, message }: RpcError): Revert | undefined {
  const returned = typeof data === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(data) ? data.toLowerCase() : undefined;
  if (returned === undefined && code !== 3 && !revertWords.test(message)) return undefined;
  return { status: 'reverted', reason: decodeRevert(returned ?? '') ?? message, data: returned ?? '0x' };
}

/** `query` of the port. */
export async function askContract(linker: Linker, { to, data, from, gas, block }: ContractQuery): Promise<QueryAnswer> {
  const call = { to, data, ...(from !== undefined && { from }), ...gasMember(gas) };
  return orRevert(
    () => false,
    async () => {
      const { connection } = await linker.link();
      const answer = await connection.request('eth_call', [call, block === undefined ? 'latest' : hexOf(block)]);
      return { status: 'success', data: readText(answer).toLowerCase() };
    },
  );
}

/** How servers say that a key has less than a call is to take with it. */
const fundsWords = /insufficient funds|enough funds/i;

/** `estimate` of the port. What a call is to take with it and its key has not, is as good as a revert. */
export function createEstimate(linker: Linker): Blockchain['estimate'] {
  return (from, { to, data, value, gas }) => {
    const call = {
      from,
      ...(to !== null && { to }),
      data,
      value: `0x${BigInt(value).toString(16)}`,
      ...gasMember(gas),
    };
    const isUnpaid = ({ message }: RpcError): boolean => value !== '0' && fundsWords.test(message);
    return orRevert(isUnpaid, async () => {
      const { connection } = await linker.link();
      return { status: 'success', gas: readQuantity(await connection.request('eth_estimateGas', [call])) };
    });
  };
}

function gasMember(gas: number | undefined): { readonly gas?: string } {
  return gas === undefined ? {} : { gas: hexOf(gas) };
}

async function orRevert<T>(isRevert: (error: RpcError) => boolean, ask: () => Promise<T>): Promise<T | Revert> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const revert = toRevert(error);
    if (revert !== undefined) return revert;
    if (isRevert(error)) return { status: 'reverted', reason: error.message, data: '0x' };
    throw error;
  }
}

/** `readLogs` of the port: as many requests as the server's limits make of it. */
export async function readHistory(
  linker: Linker,
  source: LogSource,
  from: number,
  to: number,
): Promise<readonly ContractLog[]> {
  const { connection } = await linker.link();
  const logs: ContractLog[] = [];
  let spanBlocks = maxSpanBlocks;
  for (let start = from; start <= to;) {
    const range = { from: start, to: Math.min(to, start + spanBlocks - 1) };
    try {
      logs.push(...(await readRange(connection, source, range)));
      start = range.to + 1;
    } catch (error) {
      // Too much at once, in whatever words; a single block that cannot be read is another matter.
      if (!(error instanceof RpcError) || range.from === range.to) throw error;
      spanBlocks = Math.max(1, Math.floor((range.to - range.from + 1) / 2));
    }
  }
  return logs;
}

async function readRange(
  connection: Connection,
  source: LogSource,
  range: BlockRange,
): Promise<readonly ContractLog[]> {
  const placed = placeLogs(await connection.request('eth_getLogs', [filterOf(range, [source])]), range, [source]);
  const times = await readTimes(connection, { at: () => undefined }, placed);
  const logs = placed.map((log) => completeLog(log, times, new Map()));
  return withInputs(
    connection,
    logs.filter((log) => log.type === 'contract_log'),
    [source],
  );
}

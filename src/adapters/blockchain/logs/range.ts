import assert from 'node:assert/strict';
import {
  type ChainCursor,
  ChainError,
  type ContractLog,
  type LogPage,
  type LogSelection,
  type LogSource,
  type NetworkLog,
} from '../../../ports/blockchain.js';
import { decodeMemberName, encodeMemberQuery } from '../abi.js';
import { inChunks } from '../connection/chunks.js';
import type { Connection } from '../connection/connection.js';
import { type Header, type Headers, readHeader, readQuantity, readText, readTime } from './header.js';
import { filterOf, hexOf, type PlacedLog, placeLogs, withInputs } from './placed.js';

const maxSpanBlocks = 1_000;
/**
 * A page is one transaction of the reader. A block is never split, but no block is added to a page that is this full.
 */
const maxPageWeight = 4_000;
const maxPageBlocks = 200;
/** A server that answers may be this many blocks behind another one that told the head. */
export const maxLagBlocks = 32;

/** A request to read a range. */
export interface RangeRequest {
  readonly connection: Connection;
  readonly chainId: number;
  readonly headers: Headers;
  readonly cursor: ChainCursor;
  /** The last block. */
  readonly last: number;
  readonly selection: LogSelection;
}

/** Reads the logs of `Network.sol` and of a selection after a cursor. */
export interface RangeReader {
  /**
   * Reads the blocks after the cursor, up to `last` or as far as one request reaches, as pages in chain order; the
   * cursor of the last page is the end of the range read. Rejects with `other_chain` if the cursor's block is no longer
   * on the chain, and with RpcError or `unreachable` if it cannot be read now.
   */
  read(request: RangeRequest): Promise<readonly LogPage[]>;
}

/** Blocks as they were read: their logs, and the last of them. */
interface Found {
  readonly logs: readonly PlacedLog[];
  readonly end: Header;
}

interface Cut {
  readonly logs: readonly PlacedLog[];
  readonly cursor: ChainCursor;
}

/**
 * Creates the reader. Of a range, a server that is behind answers only the logs of the blocks that it has, and does not
 * say so. If `mayLag`, the newest blocks are therefore read one by one, by their hashes, which such a server refuses.
 */
export function createRangeReader({ mayLag }: { readonly mayLag: boolean }): RangeReader {
  const organizations = new Map<string, string>();
  let spanBlocks = maxSpanBlocks;

  async function readLogs({ connection, cursor, selection }: RangeRequest, to: number): Promise<readonly PlacedLog[]> {
    const range = { from: cursor.block + 1, to };
    const { contract } = cursor;
    try {
      const answer = await connection.request('eth_getLogs', [filterOf(range, selection.sources, contract)]);
      // Grows slowly, so that the server's limit is rarely exceeded again.
      spanBlocks = Math.min(maxSpanBlocks, spanBlocks + Math.ceil(spanBlocks / 8));
      return placeLogs(answer, range, selection.sources, contract);
    } catch (error) {
      // Too many results, too long a response, too slow: servers report this in many ways, and halving the range
      // handles all.
      spanBlocks = Math.max(1, Math.floor((to - cursor.block) / 2));
      throw error;
    }
  }

  async function readRange(request: RangeRequest, last: number): Promise<Found> {
    const { connection, headers, cursor } = request;
    const to = Math.min(last, cursor.block + spanBlocks);
    const isConnected = headers.connects(cursor, to);
    // This order detects every reorganisation, now or at the next read: the end, the logs, then the beginning.
    const end = (isConnected ? headers.at(to) : undefined) ?? (await readBlock(connection, to));
    const logs = await readLogs(request, to);
    if (!isConnected && !(await isOnChain(connection, cursor, { mayLag }))) throw behind(cursor.block);
    if (logs.some((log) => log.position.block === to && log.blockHash !== end.hash)) throw changed(to);
    return { logs, end };
  }

  return {
    async read(request) {
      const { connection, chainId, headers, cursor, last, selection } = request;
      const lastSafe = mayLag ? last - maxLagBlocks : last;
      const isSafe = cursor.block < lastSafe;
      const { logs, end } = isSafe ? await readRange(request, lastSafe) : await readNext(request);
      const known = { at: (block: number) => (block === end.number ? end : headers.at(block)) };
      const pages: LogPage[] = [];
      for (const cut of cutPages(logs, { ...cursor, block: end.number, blockHash: end.hash })) {
        const times = await readTimes(connection, known, cut.logs);
        await readOrganizations(connection, cursor.contract, organizations, cut.logs);
        const complete = await withInputs(
          connection,
          cut.logs.map((log) => completeLog(log, times, organizations, chainId)),
          selection.sources,
        );
        pages.push({ cursor: cut.cursor, logs: complete, revision: selection.revision });
      }
      return pages;
    },
  };
}

/** Reads the block after the cursor, whose parent is that of the cursor, by its hash. */
async function readNext({ connection, headers, cursor, selection }: RangeRequest): Promise<Found> {
  const block = cursor.block + 1;
  const end = headers.at(block) ?? (await readBlock(connection, block));
  if (end.parentHash !== cursor.blockHash) {
    await isOnChain(connection, cursor, { mayLag: true });
    throw changed(block);
  }
  return { logs: await readBlockLogs(connection, end, selection.sources, cursor.contract), end };
}

/** Reads the logs of one block by its hash, which a server that does not have the block refuses. */
export async function readBlockLogs(
  connection: Connection,
  { number: block, hash }: Header,
  sources: readonly LogSource[],
  network?: string,
): Promise<readonly PlacedLog[]> {
  const answer = await connection.request('eth_getLogs', [filterOf(hash, sources, network)]);
  const logs = placeLogs(answer, { from: block, to: block }, sources, network);
  if (logs.some(({ blockHash }) => blockHash !== hash)) throw changed(block);
  return logs;
}

function changed(block: number): ChainError {
  return new ChainError('unreachable', `Block ${block} changed while its logs were read.`);
}

/** The error of a server that does not have a block of the network. */
export function behind(block: number): ChainError {
  const what = `The server of the chain does not have block ${block}, which the network has used`;
  const remedy = 'If it does not catch up, the chain has lost blocks: rebuild this node.';
  return new ChainError('unreachable', `${what}: it is behind others, or not synchronised. ${remedy}`);
}

/** Reads the block at a height. Rejects with `unreachable` if the chain is not that high. */
export async function readBlock(connection: Connection, block: number): Promise<Header> {
  const answer = await connection.request('eth_getBlockByNumber', [hexOf(block), false]);
  if (answer === null) throw new ChainError('unreachable', `The server of the chain does not have block ${block} yet.`);
  return readHeader(answer);
}

/** The height of the chain. */
export async function readHead(connection: Connection): Promise<number> {
  return readQuantity(await connection.request('eth_blockNumber', []));
}

/**
 * Whether the server has the cursor's block. Rejects with `other_chain` if it has another one in its place, or none
 * although it may not lag.
 */
export async function isOnChain(
  connection: Connection,
  cursor: ChainCursor,
  { mayLag }: { readonly mayLag: boolean },
): Promise<boolean> {
  const hash = await hashOfBlock(connection, cursor.block);
  if (hash === cursor.blockHash) return true;
  if (hash === undefined && mayLag) return false;
  const found = hash === undefined ? 'does not exist' : `is ${hash}`;
  throw new ChainError(
    'other_chain',
    `Block ${cursor.block} was ${cursor.blockHash} and now ${found}. ` +
      'The chain was reset, replaced or reorganised below what this node has read.',
    undefined,
    true,
  );
}

/** The hash of a block; undefined if the chain is not that high. */
export async function hashOfBlock(connection: Connection, block: number): Promise<string | undefined> {
  const answer = await connection.request('eth_getBlockByNumber', [hexOf(block), false]);
  return answer === null ? undefined : readHeader(answer).hash;
}

/** Splits logs into pages between blocks. There is always a last page, which reaches the end of the range. */
function cutPages(logs: readonly PlacedLog[], end: ChainCursor): readonly Cut[] {
  const cuts: Cut[] = [];
  let page: PlacedLog[] = [];
  let blocks = 0;
  let weight = 0;
  let previous: PlacedLog | undefined;
  for (const log of logs) {
    if (previous?.position.block !== log.position.block) {
      if (previous !== undefined && (weight >= maxPageWeight || blocks >= maxPageBlocks)) {
        cuts.push({ logs: page, cursor: { ...end, block: previous.position.block, blockHash: previous.blockHash } });
        [page, blocks, weight] = [[], 0, 0];
      }
      blocks += 1;
    }
    page.push(log);
    weight += log.event.type === 'batch_pin' ? 1 + log.event.contexts.length : 1;
    previous = log;
  }
  return [...cuts, { logs: page, cursor: end }];
}

/** The times of these logs' blocks, from known headers if possible: block hash → time. */
export async function readTimes(
  connection: Connection,
  headers: Pick<Headers, 'at'>,
  logs: readonly PlacedLog[],
): Promise<ReadonlyMap<string, string>> {
  const times = new Map<string, string>();
  const missing = new Map<string, number>();
  for (const { blockHash, timestamp, position } of logs) {
    const header = headers.at(position.block);
    if (header?.hash === blockHash) times.set(blockHash, header.time);
    else if (typeof timestamp === 'string') times.set(blockHash, readTime(timestamp));
    else missing.set(blockHash, position.block);
  }
  await inChunks([...missing], async ([blockHash, block]) => {
    const { hash, time } = await readBlock(connection, block);
    if (hash !== blockHash) throw changed(block);
    times.set(blockHash, time);
  });
  return times;
}

/** Adds the names of members by their keys. A member's name never changes. */
async function readOrganizations(
  connection: Connection,
  contract: string,
  organizations: Map<string, string>,
  logs: readonly PlacedLog[],
): Promise<void> {
  for (const { event } of logs) {
    if (event.type === 'member_added') organizations.set(event.key, event.organization);
    if (!('member' in event) || organizations.has(event.member)) continue;
    const query = { to: contract, data: encodeMemberQuery(event.member) };
    const answer = readText(await connection.request('eth_call', [query, 'latest']));
    const name = decodeMemberName(answer);
    if (name === '') throw new ChainError('unreachable', `The server of the chain does not know ${event.member} yet.`);
    organizations.set(event.member, name);
  }
}

/** Completes a log with its time and, for a member's log, the member's name, all of which have been read. */
export function completeLog(
  { event, position, transactionHash, blockHash }: PlacedLog,
  times: ReadonlyMap<string, string>,
  organizations: ReadonlyMap<string, string>,
  chainId: number,
): NetworkLog | ContractLog {
  const time = times.get(blockHash);
  assert(time !== undefined, 'the time of every block of a page was read');
  const base = { position, blockHash, chainId, transactionHash, time };
  if (!('member' in event)) return { ...base, ...event };
  const { member, ...rest } = event;
  const organization = organizations.get(member);
  assert(organization !== undefined, 'the name of every member of a page was read');
  return { ...base, ...rest, organization };
}

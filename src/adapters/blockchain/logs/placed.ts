import { ChainError, type ContractLog, type LogSource, type NetworkLog } from '../../../ports/blockchain.js';
import { decodeEvent, type NetworkEvent, networkTopics } from '../abi.js';
import { inChunks } from '../connection/chunks.js';
import type { Connection } from '../connection/connection.js';
import { readHash, readObject, readQuantity, readText } from './header.js';

type Place = 'position' | 'transactionHash' | 'time';

/** A log without the time of its block. */
export interface PlacedLog {
  readonly position: NetworkLog['position'];
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly timestamp: unknown;
  readonly event: NetworkEvent | Omit<ContractLog, Place>;
}

/** A range of blocks, both ends inclusive. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The filter for the logs of all sources, and of `Network.sol` if its address is given, in a range or in the block with
 * a hash. It selects too much if sources differ in their topics; `placeLogs` filters the result.
 */
export function filterOf(blocks: BlockRange | string, sources: readonly LogSource[], network?: string): object {
  const addresses = new Set(network === undefined ? [] : [network]);
  const topics = new Set(network === undefined ? [] : networkTopics);
  for (const source of sources) {
    if (source.address !== null) addresses.add(source.address);
    for (const topic of source.topics) topics.add(topic);
  }
  const hasAnyAddress = sources.some(({ address }) => address === null);
  return {
    ...(!hasAnyAddress && { address: [...addresses] }),
    topics: [[...topics]],
    ...(typeof blocks === 'string'
      ? { blockHash: `0x${blocks}` }
      : { fromBlock: hexOf(blocks.from), toBlock: hexOf(blocks.to) }),
  };
}

/**
 * The logs of a response that belong to `Network.sol` or a source, in chain order. Throws ChainError `unreachable` if
 * the response does not match the request.
 */
export function placeLogs(
  answer: unknown,
  { from, to }: BlockRange,
  sources: readonly LogSource[],
  network?: string,
): readonly PlacedLog[] {
  if (!Array.isArray(answer)) throw new ChainError('unreachable', 'The chain did not answer with a list of logs.');
  const isAsked = matcherOf(sources);
  const logs = answer.flatMap((log) => placeLog(readObject(log), isAsked, network));
  if (logs.some(({ position: { block } }) => block < from || block > to)) {
    throw new ChainError('unreachable', 'The chain answered with logs of other blocks than requested.');
  }
  return logs.sort(
    ({ position: a }, { position: b }) =>
      a.block - b.block || a.transactionIndex - b.transactionIndex || a.logIndex - b.logIndex,
  );
}

/** Compiles sources to a predicate on a log's contract address and first topic. */
export function matcherOf(sources: readonly LogSource[]): (address: string, topic: string) => boolean {
  const topicsOf = new Map<string | null, Set<string>>();
  for (const { address, topics } of sources) {
    const asked = topicsOf.get(address) ?? new Set<string>();
    for (const topic of topics) asked.add(topic);
    topicsOf.set(address, asked);
  }
  return (address, topic) => topicsOf.get(address)?.has(topic) === true || topicsOf.get(null)?.has(topic) === true;
}

/** Adds input and sender of their transactions to logs whose source requests them. */
export async function withInputs<L extends NetworkLog | ContractLog>(
  connection: Connection,
  logs: readonly L[],
  sources: readonly LogSource[],
): Promise<readonly L[]> {
  const isWanted = matcherOf(sources.filter(({ withInput }) => withInput === true));
  const wantsInput = (log: NetworkLog | ContractLog): boolean =>
    log.type === 'contract_log' && isWanted(log.address, log.topics[0] ?? '');
  const wanted = new Map(logs.filter(wantsInput).map((log) => [log.transactionHash, log]));
  if (wanted.size === 0) return logs;
  const transactions = new Map(
    await inChunks(
      [...wanted.values()],
      async (log) => [log.transactionHash, await readCall(connection, log)] as const,
    ),
  );
  return logs.map((log) => (wantsInput(log) ? { ...log, ...transactions.get(log.transactionHash) } : log));
}

/** Requested by block and index, since some servers only know the hashes of recent transactions. */
async function readCall(
  connection: Connection,
  { blockHash = '', position, transactionHash }: NetworkLog | ContractLog,
): Promise<Pick<ContractLog, 'input' | 'sender'>> {
  const place = [`0x${blockHash}`, hexOf(position.transactionIndex)];
  const transaction = readObject(await connection.request('eth_getTransactionByBlockHashAndIndex', place));
  if (readHash(transaction['hash']) !== transactionHash) {
    throw new ChainError('unreachable', `Block ${position.block} changed while its transactions were read.`);
  }
  return { input: readText(transaction['input']).toLowerCase(), sender: readText(transaction['from']).toLowerCase() };
}

export function hexOf(value: number): string {
  return `0x${value.toString(16)}`;
}

/** Places a log; returns none, one, or two if a source also requests a log of `Network.sol`. */
function placeLog(
  log: Readonly<Record<string, unknown>>,
  isAsked: (address: string, topic: string) => boolean,
  network: string | undefined,
): PlacedLog[] {
  const topics = Array.isArray(log['topics']) ? log['topics'].map((topic) => readText(topic).toLowerCase()) : [];
  const data = readText(log['data']).toLowerCase();
  const address = readText(log['address']).toLowerCase();
  const events: PlacedLog['event'][] = [];
  const event = address === network ? decodeEvent(topics, data) : undefined;
  if (event !== undefined) events.push(event);
  if (isAsked(address, topics[0] ?? '')) events.push({ type: 'contract_log', address, topics, data });
  return events.map((each) => ({
    position: {
      block: readQuantity(log['blockNumber']),
      transactionIndex: readQuantity(log['transactionIndex']),
      logIndex: readQuantity(log['logIndex']),
    },
    blockHash: readHash(log['blockHash']),
    transactionHash: readHash(log['transactionHash']),
    timestamp: log['blockTimestamp'],
    event: each,
  }));
}

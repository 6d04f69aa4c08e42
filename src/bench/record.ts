import { batchPinTopic, type ChainPin, decodePin, type RawLog } from './check/chain-log.js';
import { type MessageFacts, type PayloadFacts, readMessage, readPayload } from './check/facts/facts.js';
import { itemsOf, rawMembersOf } from './check/raw-json.js';
import type { BlockRecord, PartyRecord } from './check/recording.js';
import type { DurableRecorder } from './durable-recorder.js';
import type { Endpoint } from './endpoint.js';
import type { HttpClient } from './http.js';

const pageSize = 500;

/**
 * Reads the messages of a run with their data, newest first. `isOurs` selects them; reading ends at the first page
 * without one.
 */
export async function readMessages(
  http: HttpClient,
  { url }: Endpoint,
  isOurs: (message: MessageFacts) => boolean = () => true,
): Promise<MessageFacts[]> {
  const messages: MessageFacts[] = [];
  for (let skip = 0; ; skip += pageSize) {
    const path = `/api/v1/namespaces/default/messages?limit=${pageSize}&skip=${skip}&data=true`;
    const page = itemsOf((await http.get(url + path)).toString('utf8')).map(readMessage);
    const ours = page.filter(isOurs);
    messages.push(...ours);
    if (page.length < pageSize || ours.length === 0) return messages;
  }
}

/** Reads the number of undecided or blocked messages from the node's status. */
export async function readPending(http: HttpClient, { url }: Endpoint): Promise<number> {
  const status = rawMembersOf((await http.get(`${url}/api/v1/namespaces/default/status`)).toString('utf8'));
  const parley = rawMembersOf(status.get('parley') ?? '{}');
  return Number(parley.get('pending') ?? 0) + Number(parley.get('blocked') ?? 0);
}

/** Reads from the node's status the last block of the chain that it has processed; −1 if it has none. */
export async function readProcessed(http: HttpClient, { url }: Endpoint): Promise<number> {
  const status = rawMembersOf((await http.get(`${url}/api/v1/namespaces/default/status`)).toString('utf8'));
  const chain = rawMembersOf(rawMembersOf(status.get('parley') ?? '{}').get('chain') ?? '{}');
  return Number(chain.get('processed') ?? -1);
}

/** Reads the address of the network's contract from the node's status. @throws Error if it has none */
export async function readContract(http: HttpClient, { url }: Endpoint): Promise<string> {
  const text = (await http.get(`${url}/api/v1/namespaces/default/status`)).toString('utf8');
  const address = /"location":\{"address":"(0x[0-9a-fA-F]{40})"/.exec(text)?.[1];
  if (address === undefined) throw new Error(`the status of ${url} has no contract address`);
  return address;
}

/** Reads everything that a node reports. Call it when nothing is in progress. */
export async function recordParty(
  http: HttpClient,
  endpoint: Endpoint,
  recorder: DurableRecorder,
  isOurs?: (message: MessageFacts) => boolean,
): Promise<PartyRecord> {
  const connections = recorder
    .connections()
    .map((events) =>
      isOurs === undefined ? events : events.filter(({ message }) => message !== undefined && isOurs(message)),
    );
  return {
    name: endpoint.name,
    connections,
    messages: await readMessages(http, endpoint, isOurs),
    pending: await readPending(http, endpoint),
    durable: await recorder.record(),
  };
}

const maxBlocksPerQuery = 500;

/** Reads the pins of a contract from a block on, in chain order. */
export async function readPins(
  http: HttpClient,
  chainUrl: string,
  contract: string,
  fromBlock: number,
): Promise<ChainPin[]> {
  const head = await readHead(http, chainUrl);
  const pins: ChainPin[] = [];
  for (let start = fromBlock; start <= head; start += maxBlocksPerQuery) {
    const end = Math.min(head, start + maxBlocksPerQuery - 1);
    const filter = { address: contract, fromBlock: hex(start), toBlock: hex(end), topics: [batchPinTopic] };
    const logs = await http.rpc(chainUrl, 'eth_getLogs', [filter]);
    if (!Array.isArray(logs)) throw new Error('eth_getLogs did not return a list');
    for (const log of logs) pins.push(decodePin(asLog(log)));
  }
  return pins;
}

export async function readHead(http: HttpClient, chainUrl: string): Promise<number> {
  return Number(await http.rpc(chainUrl, 'eth_blockNumber', []));
}

/** Reads the hash of a block; null if the chain does not have the block. */
export async function readBlockHash(http: HttpClient, chainUrl: string, number: number): Promise<string | null> {
  const block = await http.rpc(chainUrl, 'eth_getBlockByNumber', [hex(number), false]);
  if (typeof block !== 'object' || block === null || !('hash' in block)) return null;
  return String(block.hash);
}

/** Reads the current hashes of blocks that were seen before. */
export async function recordBlocks(
  http: HttpClient,
  chainUrl: string,
  seen: ReadonlyMap<number, string>,
): Promise<BlockRecord[]> {
  const records: BlockRecord[] = [];
  for (const [number, hash] of seen) {
    records.push({ number, seen: hash, now: await readBlockHash(http, chainUrl, number) });
  }
  return records;
}

/** Reads the payloads of pins from the store's gateway; missing payloads are left out. */
export async function readPayloads(
  http: HttpClient,
  storeUrl: string,
  pins: readonly ChainPin[],
): Promise<Map<string, PayloadFacts>> {
  const payloads = new Map<string, PayloadFacts>();
  for (const { payloadRef } of pins) {
    if (payloadRef === '' || payloads.has(payloadRef)) continue;
    const { status, bytes } = await http.exchange(`${storeUrl}/ipfs/${encodeURIComponent(payloadRef)}`);
    if (status === 200) payloads.set(payloadRef, readPayload(bytes));
  }
  return payloads;
}

function asLog(value: unknown): RawLog {
  if (typeof value !== 'object' || value === null || !('data' in value) || !('topics' in value)) {
    throw new Error('eth_getLogs returned an invalid log');
  }
  const members: ReadonlyMap<string, unknown> = new Map(Object.entries(value));
  const text = (name: string): string => {
    const member = members.get(name);
    return typeof member === 'string' ? member : '';
  };
  const topics = Array.isArray(value.topics) ? value.topics.map(String) : [];
  return {
    address: text('address'),
    topics,
    data: text('data'),
    blockNumber: text('blockNumber'),
    transactionIndex: text('transactionIndex'),
    logIndex: text('logIndex'),
  };
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}

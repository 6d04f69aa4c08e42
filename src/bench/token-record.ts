import { itemsOf, rawMembersOf, textMember } from './check/raw-json.js';
import type { BalanceFacts, TokenRecord, TransferFacts } from './check/recording.js';
import type { Endpoint } from './endpoint.js';
import type { HttpClient } from './http.js';

const pageSize = 1_000;

/** A transfer, with its id at the node that was read. */
export interface OwnTransfer extends TransferFacts {
  readonly localId: string;
}

/** Token records, with their ids at the node that was read. */
export interface OwnTokens extends TokenRecord {
  readonly transfers: readonly OwnTransfer[];
}

/** Reads all token records of some pools from a node. */
export async function recordTokens(http: HttpClient, node: Endpoint, pools: readonly string[]): Promise<OwnTokens> {
  const transfers: OwnTransfer[] = [];
  const balances: BalanceFacts[] = [];
  for (const pool of pools) {
    transfers.push(...(await readList(http, node, `tokens/transfers?pool=${pool}&sort=protocolid`)).map(readTransfer));
    balances.push(...(await readList(http, node, `tokens/balances?pool=${pool}&sort=key`)).map(readBalance));
  }
  return { transfers, balances };
}

async function readList(http: HttpClient, { url }: Endpoint, path: string): Promise<ReadonlyMap<string, string>[]> {
  const items: ReadonlyMap<string, string>[] = [];
  for (let skip = 0; ; skip += pageSize) {
    const text = await http.get(`${url}/api/v1/namespaces/default/${path}&limit=${pageSize}&skip=${skip}`);
    const page = itemsOf(text.toString('utf8')).map(rawMembersOf);
    items.push(...page);
    if (page.length < pageSize) return items;
  }
}

function readTransfer(members: ReadonlyMap<string, string>): OwnTransfer {
  const text = (name: string) => textMember(members, name);
  return {
    pool: text('pool') ?? '',
    type: text('type') ?? '',
    from: text('from'),
    to: text('to'),
    amount: text('amount') ?? '',
    tokenIndex: text('tokenIndex'),
    protocolId: text('protocolId') ?? '',
    message: text('message'),
    localId: text('localId') ?? '',
  };
}

function readBalance(members: ReadonlyMap<string, string>): BalanceFacts {
  const text = (name: string) => textMember(members, name) ?? '';
  return {
    pool: text('pool'),
    tokenIndex: textMember(members, 'tokenIndex'),
    key: text('key'),
    balance: text('balance'),
  };
}

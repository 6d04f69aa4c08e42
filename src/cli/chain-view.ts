import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChainBlock, type ChainReader, createChainReader } from '../stack/chain.js';
import { type Accounts, readAccounts } from '../stack/accounts.js';
import { operatorKeyFile, signingKeyFile, spareKeyFiles } from '../stack/keys.js';
import type { Stack } from '../stack/locate.js';
import { type StackStatus, stackStatus } from '../stack/status.js';
import { textOf } from '../wire/json.js';
import { type NameOf, tellEvent } from './chain-events.js';
import { CliError } from './exit.js';
import { result } from './output.js';
import { shortAddress } from './owners.js';
import { recordText } from './record-text.js';
import { type Column, printTable, type TableOptions } from './table.js';
import { openStack, type Surroundings } from './target.js';
import { age, safe, sizeOf } from './text.js';

interface ChainWords {
  readonly stack?: string | undefined;
}

interface OpenChain {
  readonly stack: Stack;
  readonly status: StackStatus;
  readonly url: string;
  readonly reader: ChainReader;
  readonly accounts: Accounts | undefined;
}

/** @throws CliError NOT_RUNNING when the chain does not run */
async function openChain(words: ChainWords, surroundings: Surroundings): Promise<OpenChain> {
  const stack = await openStack(words, surroundings);
  const [status, accounts] = await Promise.all([stackStatus(stack), readAccounts(stack.layout)]);
  const row = status.services.find(({ kind }) => kind === 'chain');
  if (row?.url == null || row.pid === null) {
    throw new CliError('NOT_RUNNING', `The chain of ${stack.name} does not run.`, {
      hint: `Start it: ${surroundings.program} start ${stack.name}`,
    });
  }
  return { stack, status, url: row.url, reader: createChainReader(row.url), accounts };
}

/** `stack chain info`. @throws CliError NOT_RUNNING */
export async function showChain(words: ChainWords, surroundings: Surroundings): Promise<void> {
  const { output } = surroundings;
  const { stack, status, url, reader } = await openChain(words, surroundings);
  const [chainId, head] = await Promise.all([reader.chainId(), reader.head()]);
  const { hash, time } = await reader.block(head);
  const journal = join(stack.layout.chainData, 'journal');
  const { size: journalBytes } = await stat(journal);
  const contracts = contractsOf(status);
  if (output.isJson) {
    const members = {
      url,
      chainId,
      head: { number: head, hash, time },
      mining: 'auto',
      journal,
      journalBytes,
      contracts,
    };
    await output.json(textOf(result(members)));
  } else if (output.isQuiet) await output.line(String(head));
  else {
    const rows = contracts.map(
      ({ name, address, block }) => [name, `${address}  since block ${block ?? '?'}`] as const,
    );
    const text = recordText([
      ['url', url],
      ['chain id', String(chainId)],
      ['head', `${head}  ${age(time, Date.now())} ago`],
      ['hash', hash],
      ['mining', 'each transaction at once'],
      ['journal', `${journal}  ${sizeOf(journalBytes)}`],
      ...rows,
    ]);
    await output.line(text);
  }
}

interface ContractPlace {
  readonly name: string;
  readonly address: string;
  readonly block: number | undefined;
}

/** Everything in `contracts.json` that has an address. */
function contractsOf({ contracts }: StackStatus): ContractPlace[] {
  return contracts === null ? [] : placesIn('', contracts);
}

function placesIn(path: string, value: unknown): ContractPlace[] {
  if (!(value instanceof Object)) return [];
  const members = new Map<string, unknown>(Object.entries(value));
  const [address, block, own] = [members.get('address'), members.get('block'), members.get('name')];
  if (typeof address === 'string') {
    const name = typeof own === 'string' ? own : path;
    return [{ name, address, block: typeof block === 'number' ? block : undefined }];
  }
  return [...members].flatMap(([key, member]) => placesIn(key, member));
}

/** `stack chain blocks`. @throws CliError NOT_RUNNING */
export async function showBlocks(
  words: ChainWords & TableOptions & { readonly count: number },
  surroundings: Surroundings,
): Promise<void> {
  const { output } = surroundings;
  const { status, reader, accounts } = await openChain(words, surroundings);
  const blocks = await reader.newest(words.count);
  const nameOf = namesOf(status, accounts);
  const rows = blocks.map((block) => ({ block, events: eventsOf(block, nameOf) }));
  if (output.isJson) {
    const shown = rows.map(({ block: { logs: _, reverted, ...block }, events }) => {
      return { ...block, events, reverted: reverted.map(({ hash }) => hash) };
    });
    await output.json(textOf(result({ blocks: shown })));
  } else if (output.isQuiet) await output.out.write(blocks.map(({ hash }) => `${hash}\n`).join(''));
  else await printTable(output, rows, blockColumns(Date.now()), words);
}

interface BlockRow {
  readonly block: ChainBlock;
  readonly events: readonly string[];
}

function blockColumns(nowMs: number): readonly Column<BlockRow>[] {
  return [
    { name: 'block', text: ({ block }) => String(block.number) },
    { name: 'age', text: ({ block }, isTerminal) => (isTerminal ? age(block.time, nowMs) : block.time) },
    { name: 'txs', text: ({ block }) => String(block.transactions.length) },
    { name: 'events', text: ({ events }) => safe(events.join('; ')) },
  ];
}

/** What happened, and what was tried in vain. */
function eventsOf({ logs, reverted }: ChainBlock, nameOf: NameOf): string[] {
  const by = (address: string) => nameOf(address) ?? shortAddress(address);
  const told = logs.flatMap((log) => tellEvent(log, nameOf) ?? []);
  return [...told, ...reverted.map(({ from }) => `reverted, by ${by(from)}`)];
}

function namesOf(status: StackStatus, accounts: Accounts | undefined): NameOf {
  const names = new Map(contractsOf(status).map(({ name, address }) => [address, name]));
  if (accounts !== undefined) names.set(accounts.operator, 'operator');
  for (const [name, { signing, spare }] of Object.entries(accounts?.parties ?? {})) {
    names.set(signing, name);
    spare.forEach((address, index) => names.set(address, `${name}/spare-${index + 1}`));
  }
  return (address) => names.get(address.toLowerCase());
}

interface AccountRow {
  readonly owner: string;
  readonly kind: 'operator' | 'member' | 'spare';
  readonly address: string;
  /** Wei, in decimal digits. */
  readonly balance: string;
  readonly keyFile: string;
}

/** `stack chain accounts`: who can pay for transactions, and where the keys are. @throws CliError NOT_RUNNING */
export async function showAccounts(words: ChainWords & TableOptions, surroundings: Surroundings): Promise<void> {
  const { output } = surroundings;
  const { stack, reader, accounts } = await openChain(words, surroundings);
  const places = accounts === undefined ? [] : accountsOf(stack, accounts);
  const rows = await Promise.all(
    places.map(async (place): Promise<AccountRow> => {
      return { ...place, balance: String(await reader.balance(place.address)) };
    }),
  );
  if (output.isJson) await output.json(textOf(result({ accounts: rows })));
  else if (output.isQuiet) await output.out.write(rows.map(({ address }) => `${address}\n`).join(''));
  else await printTable(output, rows, accountColumns, words);
}

function accountsOf({ layout }: Stack, { operator, parties }: Accounts): Omit<AccountRow, 'balance'>[] {
  const members = Object.entries(parties).flatMap(([owner, { signing, spare }]) => [
    { owner, kind: 'member' as const, address: signing, keyFile: signingKeyFile(layout, owner) },
    ...spareKeyFiles(layout, owner, spare.length).map((keyFile, index) => {
      return { owner, kind: 'spare' as const, address: spare[index] ?? '', keyFile };
    }),
  ]);
  return [{ owner: 'operator', kind: 'operator', address: operator, keyFile: operatorKeyFile(layout) }, ...members];
}

const accountColumns: readonly Column<AccountRow>[] = [
  { name: 'owner', text: ({ owner }) => owner },
  { name: 'kind', text: ({ kind }) => kind },
  { name: 'address', text: ({ address }) => address },
  { name: 'balance', text: ({ balance }, isTerminal) => (isTerminal ? etherOf(BigInt(balance)) : balance) },
  { name: 'key', spare: 1, text: ({ keyFile }) => keyFile },
];

const weiPerMilliether = 10n ** 15n;

/** `999999.998 ETH`, rounded down. */
function etherOf(wei: bigint): string {
  const thousandths = wei / weiPerMilliether;
  return `${thousandths / 1_000n}.${String(thousandths % 1_000n).padStart(3, '0')} ETH`;
}

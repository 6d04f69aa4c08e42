import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJsonFile } from '../../supervisor/files/json-file.js';
import { type Accounts, deriveAccounts, readAccounts } from '../keys/accounts.js';
import { addressOf } from '../../domain/chain/keys.js';
import { type ChainFees, etherText, readChainFees, type Rpc } from './chain/fees.js';
import { balanceOf, type LowKey, type Need, readLow, readNeeds } from './chain/funds.js';
import { requireContracts, selectorOf } from './chain/contracts.js';
import { inspectSocket } from './chain/socket.js';
import { chainTrouble } from './external.js';
import type { ExternalChain } from '../settings/chain-settings.js';
import { type Contracts, ContractsFile } from '../running/contracts-file.js';
import { StackError } from '../error.js';
import { checkUserFiles } from '../keys/keys.js';
import type { Stack } from '../places/locate.js';
import { authorizationIn, createRpcCaller, isUnknownMethod, RpcRefusal } from '../tasks/exchange.js';

/** A chain that others run, as it was found. */
export interface FoundChain {
  readonly chainId: number;
  readonly rpc: Rpc;
  readonly fees: ChainFees;
}

/** Limit of each answer of a chain that is inspected. */
const inspectLimitMs = 5_000;

type Question = readonly [method: string, parameters: readonly unknown[]];

const zeroAddress = `0x${'0'.repeat(40)}`;
const zeroHash = `0x${'0'.repeat(64)}`;

const neededMethods: readonly Question[] = [
  ['eth_blockNumber', []],
  ['eth_getLogs', [{ fromBlock: 'latest', toBlock: 'latest' }]],
  ['eth_getBalance', [zeroAddress, 'latest']],
  ['eth_getCode', [zeroAddress, 'latest']],
  ['eth_getTransactionCount', [zeroAddress, 'latest']],
  ['eth_getTransactionByBlockHashAndIndex', [zeroHash, '0x0']],
  ['eth_getTransactionReceipt', [zeroHash]],
];

/** Further methods in use, with calls that a chain may refuse although it has the method. */
const refusingMethods: readonly Question[] = [
  ['eth_call', [{ to: zeroAddress, data: '0x' }, 'latest']],
  ['eth_estimateGas', [{ to: zeroAddress, data: '0x' }]],
  ['eth_sendRawTransaction', ['0x']],
];

/**
 * Checks the chain of a definition, and the contracts that it or an earlier start names. Changes nothing.
 *
 * @throws StackError CHAIN_UNREACHABLE, CHAIN_UNSUITABLE, CHAIN_MISMATCH, each naming the setting
 */
export async function inspectChain(chain: ExternalChain, known: Contracts | undefined): Promise<FoundChain> {
  const authorization = chain.authFile === null ? undefined : await authorizationIn(chain.authFile);
  const rpc = createRpcCaller(chain.url, { authorization, limitMs: inspectLimitMs });
  const chainId = await readChainId(chain, rpc);
  const expected = chain.chainId ?? known?.chainId;
  if (expected !== undefined && chainId !== expected) {
    const setting = chain.chainId === null ? 'chain.url' : 'chain.chainId';
    throw new StackError(
      'CHAIN_MISMATCH',
      `${setting}: the chain at ${chain.url} has the id ${chainId}, not ${expected}.`,
      {
        hint: 'Name the chain that the network is on; a network cannot move to another.',
      },
    );
  }
  const genesis: unknown = await mustAnswer(chain, 'eth_getBlockByNumber', () =>
    rpc('eth_getBlockByNumber', '0x0', false),
  );
  const hash: unknown = genesis instanceof Object ? Reflect.get(genesis, 'hash') : undefined;
  if (known !== undefined && hash !== known.genesisHash) {
    throw new StackError('CHAIN_MISMATCH', `chain.url: ${chain.url} is another chain: its genesis block differs.`, {
      hint: 'Name the chain that the network is on, or start over on this one: stack reset',
    });
  }
  for (const [method, parameters] of neededMethods) await mustAnswer(chain, method, () => rpc(method, ...parameters));
  for (const [method, parameters] of refusingMethods) {
    await mustAnswer(chain, method, () => rpc(method, ...parameters).catch(acceptRefusal));
  }
  await requireBaseFee(chain, rpc);
  const fees = await mustAnswer(chain, 'eth_feeHistory', () => readChainFees(rpc, chain.fees));
  if (chain.ws !== null) {
    await inspectSocket(chain.ws, { chainId, genesisHash: hash }, { authorization, limitMs: inspectLimitMs });
  }
  await requireContracts(chain, known, rpc);
  return { chainId, rpc: createRpcCaller(chain.url, { authorization }), fees };
}

/** A chain without base fees answers `eth_feeHistory` too, and refuses each transaction of a node. */
async function requireBaseFee(chain: ExternalChain, rpc: Rpc): Promise<void> {
  const head = await mustAnswer(chain, 'eth_getBlockByNumber', () => rpc('eth_getBlockByNumber', 'latest', false));
  if (head instanceof Object && 'baseFeePerGas' in head) return;
  throw new StackError('CHAIN_UNSUITABLE', `chain.url: the blocks of ${chain.url} have no base fee (EIP-1559).`, {
    hint: 'Nodes send transactions of EIP-1559 only: name a chain with the rules of London or later.',
  });
}

async function readChainId(chain: ExternalChain, rpc: Rpc): Promise<number> {
  let answer: unknown;
  try {
    answer = await rpc('eth_chainId');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (cause instanceof Error && cause.name === 'TimeoutError') throw silent(chain, 'eth_chainId', cause);
    if (cause instanceof Error && 'code' in cause) {
      throw new StackError(
        'CHAIN_UNREACHABLE',
        `chain.url: nothing answers at ${chain.url}: ${reason || 'no connection'}.`,
        {
          hint: 'Start the chain, or name its address.',
          cause,
        },
      );
    }
    throw new StackError(
      'CHAIN_UNSUITABLE',
      `chain.url: ${chain.url} is not a chain, or needs chain.authFile: ${reason}`,
      {
        hint: 'It must speak JSON-RPC as Ethereum nodes do.',
        cause,
      },
    );
  }
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,13}$/i.test(answer)) return Number(answer);
  throw new StackError('CHAIN_UNSUITABLE', `chain.url: ${chain.url} is not a chain: it returned no chain id.`);
}

function silent({ url }: ExternalChain, method: string, cause: Error): StackError {
  const what = `chain.url: ${url} did not answer ${method} within ${inspectLimitMs / 1_000} s.`;
  return new StackError('CHAIN_UNREACHABLE', what, { hint: 'Start the chain, or name its address.', cause });
}

/** Accepts a refusal by a method that the chain has. */
function acceptRefusal(error: unknown): undefined {
  if (error instanceof RpcRefusal && !isUnknownMethod(error)) return undefined;
  throw error;
}

/** Waits for a required answer. @throws StackError CHAIN_UNREACHABLE, CHAIN_UNSUITABLE */
async function mustAnswer<T>(chain: ExternalChain, method: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (cause instanceof Error && cause.name === 'TimeoutError') throw silent(chain, method, cause);
    throw new StackError('CHAIN_UNSUITABLE', `chain.url: ${chain.url} does not offer ${method}: ${reason}`, { cause });
  }
}

/** Called while keys lack funds, with what to send. */
export type FundsListener = (needs: readonly Need[]) => void;

export interface PrepareOptions {
  /** Limit of the wait for funds; 0 = no limit. */
  readonly timeoutMs: number;
  readonly onFunds?: FundsListener | undefined;
  /** Ignore the contracts of earlier starts, since a new network begins. */
  readonly isAnew?: boolean;
}

const pollMs = 500;

/**
 * Checks the chain of a stack, and that its keys can pay: the funder must have enough for them; without a funder, waits
 * until they are funded.
 *
 * @throws StackError as `inspectChain`; CHAIN_MISMATCH if the operator's key is not that of the network; KEY_UNFUNDED
 */
export async function prepareChain(stack: Stack, options: PrepareOptions): Promise<void> {
  const { timeoutMs, onFunds, isAnew = false } = options;
  const { external } = stack.settings.chain;
  if (external === null) return;
  const known = isAnew ? undefined : await knownContracts(stack);
  const accounts = await deriveAccounts(stack.layout, stack.settings);
  const { rpc, fees } = await inspectChain(external, known);
  const work = await readWork(stack, known, rpc, accounts);
  const untilMs = performance.now() + (timeoutMs === 0 ? Number.POSITIVE_INFINITY : timeoutMs);
  let reported = '';
  for (;;) {
    const needs = await readNeeds({ rpc, fees, accounts, work });
    if (needs.length === 0) return;
    if (external.funder !== null) return requireFunder(external.funder, rpc, needs);
    const text = needs.map(({ address }) => address).join();
    if (text !== reported) onFunds?.(needs);
    reported = text;
    if (performance.now() >= untilMs) throw unfunded(needs);
    await sleep(pollMs);
  }
}

/** Checks the chain for `stack config validate --online`. @throws StackError as `prepareChain`, without waiting */
export async function validateChain(stack: Stack): Promise<FoundChain | undefined> {
  const { external } = stack.settings.chain;
  if (external === null) return undefined;
  await checkUserFiles(stack.settings);
  const known = await knownContracts(stack);
  const found = await inspectChain(external, known);
  const accounts = await deriveAccounts(stack.layout, stack.settings);
  const work = await readWork(stack, known, found.rpc, accounts);
  const needs = await readNeeds({ ...found, accounts, work });
  if (needs.length > 0 && external.funder === null) throw unfunded(needs);
  if (needs.length > 0 && external.funder !== null) await requireFunder(external.funder, found.rpc, needs);
  return found;
}

/** The keys of a stack that will soon lack funds; none on its own chain, or on one that does not answer. */
export async function lowKeys({ settings, layout }: Stack): Promise<readonly LowKey[]> {
  const { external } = settings.chain;
  const accounts = await readAccounts(layout);
  if (external === null || accounts === undefined || (await chainTrouble(external)) !== undefined) return [];
  const authorization = external.authFile === null ? undefined : await authorizationIn(external.authFile);
  const rpc = createRpcCaller(external.url, { authorization });
  try {
    return await readLow({ rpc, fees: await readChainFees(rpc, external.fees), accounts });
  } catch {
    // A server that limits requests may answer some of them only.
    return [];
  }
}

function knownContracts({ layout }: Stack): Promise<Contracts | undefined> {
  return readJsonFile(layout.contracts, ContractsFile);
}

/** The contracts that the operator still has to deploy, and the members it has to add. */
async function readWork({ settings }: Stack, known: Contracts | undefined, rpc: Rpc, accounts: Accounts) {
  const { external } = settings.chain;
  const network = known?.network.address ?? external?.contracts?.network;
  const connectors = settings.tokens.connectors.filter((name) => {
    const isKnown = known?.tokens?.some((token) => token.name === name) === true;
    return !isKnown && external?.contracts?.tokens[name] === undefined;
  });
  if (network === undefined) return { deployments: 1 + connectors.length, members: settings.parties.length };
  const keys = Object.values(accounts.parties).map(({ signing }) => signing);
  const members = await Promise.all(keys.map((key) => memberOf(rpc, network, key)));
  const missing = members.filter((member) => BigInt(member) === 0n).length;
  if (missing > 0) await requireOperator(rpc, network, accounts.operator);
  return { deployments: connectors.length, members: missing };
}

async function memberOf(rpc: Rpc, network: string, key: string): Promise<string> {
  const data = `${selectorOf('memberOf(address)')}${key.slice(2).padStart(64, '0')}`;
  return String(await rpc('eth_call', { to: network, data }, 'latest'));
}

async function requireOperator(rpc: Rpc, network: string, own: string): Promise<void> {
  const answer = String(await rpc('eth_call', { to: network, data: selectorOf('operator()') }, 'latest'));
  const operator = `0x${answer.slice(-40)}`.toLowerCase();
  if (operator === own) return;
  const what = `only ${operator} can add members to the network at ${network}, and this stack's operator is ${own}`;
  throw new StackError('CHAIN_MISMATCH', `chain.operatorKey: ${what}.`, {
    hint: 'Name the file of that key, or let its owner add these parties: stack party admit FILE',
  });
}

async function requireFunder(file: string, rpc: Rpc, needs: readonly Need[]): Promise<void> {
  const address = addressOf((await readFile(file, 'utf8')).trim());
  const balance = await balanceOf(rpc, address);
  const sum = needs.reduce((total, { amount }) => total + amount, 0n);
  if (balance > sum) return;
  const has = `${address} has ${etherText(balance)} ether, and the keys of this stack need ${etherText(sum)}`;
  throw new StackError('KEY_UNFUNDED', `chain.funder: ${has}.`, { hint: 'Send it more ether, and start again.' });
}

function unfunded(needs: readonly Need[]): StackError {
  const list = needs.map(({ owner, address, amount }) => `${etherText(amount)} ether to ${address} (${owner})`);
  return new StackError(
    'KEY_UNFUNDED',
    `chain.funder: none is set, and these keys cannot pay; send ${list.join(', ')}.`,
    {
      hint: 'Send them that, or set chain.funder to the file of a key that pays, and start again.',
      details: { needs: needs.map(({ owner, address, amount }) => ({ owner, address, wei: amount.toString() })) },
    },
  );
}

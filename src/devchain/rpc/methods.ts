import { withOneInput } from '../engine/call-input.js';
import type { Chain } from '../engine/chain.js';
import { estimateGas } from '../engine/estimate.js';
import type { Ledger } from '../journal/ledger.js';
import { endAtHead } from '../log-range.js';
import { refuseUnpaid } from '../engine/payable.js';
import type { Filters } from './filters.js';
import { withoutEmptyLists } from './log-filter.js';
import { clientVersion, metadata } from './metadata.js';
import { RpcError, rpcCodes } from './rpc-error.js';
import { withDryRunGas } from '../engine/dry-run-gas.js';
import type { ChainTurns } from '../mining/turn.js';

type Params = readonly unknown[];
type Answer = Promise<string> | string;

/** How a method is answered. Methods without a row are not found. */
export type Method =
  /** Answered from the chain on disk; the result is JSON text. */
  | { readonly kind: 'read'; readonly answer: (chain: Chain, params: Params) => Promise<string> }
  /** A read that executes a contract; one at a time. */
  | { readonly kind: 'dryRun'; readonly answer: (chain: Chain, params: Params) => Promise<string> }
  /** Answered from the filters that clients poll and the chain on disk; the result is JSON text. */
  | { readonly kind: 'filter'; readonly answer: (filters: Filters, chain: Chain, params: Params) => Answer }
  /** Changes the chain, as a part of a turn in the journal. */
  | { readonly kind: 'journalled'; readonly run: (ledger: Ledger, params: Params) => Promise<() => unknown> }
  /** Answered by the server itself. */
  | { readonly kind: 'local'; readonly answer: (turns: ChainTurns, params: Params) => unknown };

const maxBlocksPerCall = 10_000;
const maxIntervalMs = 3_600_000;
const minIntervalMs = 10;

/** No method signs for an account, impersonates one or rewrites its state (docs/architecture.md §12.4). */
export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...[
    'eth_blobBaseFee',
    'eth_chainId',
    'eth_coinbase',
    'eth_feeHistory',
    'eth_gasPrice',
    'eth_getBalance',
    'eth_getBlockByHash',
    'eth_getBlockByNumber',
    'eth_getBlockTransactionCountByHash',
    'eth_getBlockTransactionCountByNumber',
    'eth_getCode',
    'eth_getProof',
    'eth_getStorageAt',
    'eth_getTransactionByBlockHashAndIndex',
    'eth_getTransactionByBlockNumberAndIndex',
    'eth_getTransactionByHash',
    'eth_getTransactionCount',
    'eth_getTransactionReceipt',
    'eth_maxPriorityFeePerGas',
    'eth_pendingTransactions',
    'eth_syncing',
    'net_version',
    'web3_sha3',
  ].map((name): [string, Method] => [name, { kind: 'read', answer: (chain, params) => chain.ask(name, params) }]),
  ['web3_clientVersion', { kind: 'read', answer: clientVersion }],
  ['hardhat_metadata', { kind: 'read', answer: metadata }],
  ['eth_getLogs', { kind: 'read', answer: getLogs }],
  ['eth_call', { kind: 'dryRun', answer: (chain, params) => call(chain, withOneInput(params)) }],
  ['eth_estimateGas', { kind: 'dryRun', answer: (chain, params) => estimateGas(chain, withOneInput(params)) }],
  ['eth_blockNumber', { kind: 'read', answer: (chain) => Promise.resolve(`"${quantity(chain.head().number)}"`) }],

  ['eth_newFilter', { kind: 'filter', answer: (filters, chain, [given]) => `"${filters.addLogs(chain, given)}"` }],
  ['eth_newBlockFilter', { kind: 'filter', answer: (filters, chain) => `"${filters.addBlocks(chain)}"` }],
  [
    'eth_newPendingTransactionFilter',
    { kind: 'filter', answer: (filters, chain) => `"${filters.addTransactions(chain)}"` },
  ],
  ['eth_getFilterChanges', { kind: 'filter', answer: (filters, chain, [id]) => filters.changes(chain, id) }],
  ['eth_getFilterLogs', { kind: 'filter', answer: (filters, chain, [id]) => filters.logs(chain, id) }],
  ['eth_uninstallFilter', { kind: 'filter', answer: (filters, _, [id]) => String(filters.remove(id)) }],

  ['eth_sendRawTransaction', { kind: 'journalled', run: sendRawTransaction }],
  ['evm_mine', { kind: 'journalled', run: mineOne }],
  ['hardhat_mine', { kind: 'journalled', run: mineMany }],
  ['evm_increaseTime', { kind: 'journalled', run: increaseTime }],
  ['evm_setNextBlockTimestamp', { kind: 'journalled', run: setNextTime }],
  ['evm_setAutomine', { kind: 'journalled', run: setAutomine }],
  ['evm_setIntervalMining', { kind: 'journalled', run: setIntervalMining }],

  ['eth_accounts', { kind: 'local', answer: () => [] }],
  ['eth_mining', { kind: 'local', answer: () => false }],
  ['net_listening', { kind: 'local', answer: () => true }],
  ['net_peerCount', { kind: 'local', answer: () => '0x0' }],
  ['parley_mining', { kind: 'local', answer: (turns) => turns.mining() }],
  ['hardhat_getAutomine', { kind: 'local', answer: (turns) => turns.mining().auto }],
  ['evm_snapshot', { kind: 'local', answer: async (turns) => quantity(await turns.snapshot()) }],
  ['hardhat_reset', { kind: 'local', answer: refuseReset }],
  ['evm_revert', { kind: 'local', answer: (turns, [id]) => turns.revert(toNumber(id, 'the snapshot')) }],
]);

/** Refuses a reset, which tools call before tests. */
function refuseReset(): never {
  const sentence =
    'hardhat_reset is refused: it would remove blocks that the nodes have read. Run tests on the in-process network ' +
    'of Hardhat, or start over with "stack reset".';
  throw new RpcError(rpcCodes.refused, sentence);
}

async function getLogs(chain: Chain, params: Params): Promise<string> {
  const [filter, ...others] = params;
  const isFilter = typeof filter === 'object' && filter !== null && !Array.isArray(filter);
  const bounded = endAtHead(chain.head().number, isFilter ? [withoutEmptyLists(filter), ...others] : params);
  return bounded === undefined ? '[]' : chain.ask('eth_getLogs', bounded);
}

async function call(chain: Chain, params: Params): Promise<string> {
  await refuseUnpaid(chain, params);
  return withDryRunGas(params, (bounded) => chain.ask('eth_call', bounded));
}

async function sendRawTransaction(ledger: Ledger, [raw]: Params): Promise<() => string> {
  if (typeof raw !== 'string' || !/^0x(?:[0-9a-f]{2})+$/i.test(raw)) {
    throw new RpcError(rpcCodes.invalidParams, 'The signed transaction must be given as 0x and hexadecimal digits.');
  }
  const hash = await ledger.send(raw);
  return () => {
    const refusal = ledger.refusal(hash);
    if (refusal !== undefined) throw refusal;
    return hash;
  };
}

async function mineOne(ledger: Ledger, [time]: Params): Promise<() => string> {
  await ledger.mine(1, 1, time === undefined ? undefined : toNumber(time, 'the time'));
  return () => '0';
}

async function mineMany(ledger: Ledger, [count = 1, spacing = 1]: Params): Promise<() => boolean> {
  const blocks = toNumber(count, 'the number of blocks');
  if (blocks > maxBlocksPerCall) {
    throw new RpcError(rpcCodes.limitExceeded, `At most ${maxBlocksPerCall} blocks can be mined by one call.`);
  }
  await ledger.mine(blocks, toNumber(spacing, 'the time between blocks'));
  return () => true;
}

async function increaseTime(ledger: Ledger, [seconds]: Params): Promise<() => string> {
  const offsetSeconds = ledger.increaseTime(toNumber(seconds, 'the number of seconds'));
  return () => String(offsetSeconds);
}

async function setNextTime(ledger: Ledger, [time]: Params): Promise<() => string> {
  const nextTime = toNumber(time, 'the time');
  ledger.setNextTime(nextTime);
  return () => String(nextTime);
}

async function setAutomine(ledger: Ledger, [auto]: Params): Promise<() => boolean> {
  if (typeof auto !== 'boolean') throw new RpcError(rpcCodes.invalidParams, 'Expected true or false for automine.');
  ledger.setMining({ ...ledger.mining(), auto });
  return () => true;
}

async function setIntervalMining(ledger: Ledger, [interval]: Params): Promise<() => boolean> {
  const intervalMs = toNumber(interval, 'the interval');
  if (intervalMs !== 0 && (intervalMs < minIntervalMs || intervalMs > maxIntervalMs)) {
    const range = `0 (never) or ${minIntervalMs} to ${maxIntervalMs} ms`;
    throw new RpcError(rpcCodes.invalidParams, `The interval must be ${range}, not ${intervalMs}.`);
  }
  ledger.setMining({ ...ledger.mining(), intervalMs });
  return () => true;
}

/** Reads a whole number ≥ 0, which tools send as a number, decimal digits, or `0x` and hexadecimal digits. */
function toNumber(value: unknown, what: string): number {
  const isText = typeof value === 'string' && /^(?:0x[0-9a-f]{1,13}|\d{1,15})$/i.test(value);
  const number = isText ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new RpcError(rpcCodes.invalidParams, `Expected ${what} as a whole number of zero or more.`);
}

function quantity(number: number): string {
  return `0x${number.toString(16)}`;
}

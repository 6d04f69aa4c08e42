import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type ChainCall, ChainError, type Receipt, maxTransactionGas } from '../../../ports/blockchain.js';
import type { ContractQuery, QueryAnswer } from '../../../ports/contract-query.js';
import type { Clock } from '../../../ports/clock.js';
import { type ContractRules, createMemoryAccounts, type MemoryAccounts } from './accounts.js';
import { decodeTransaction, encodeTransaction, type MemoryTransaction, transactionHashOf } from './call.js';
import type { MemoryContract, MemoryLog, NewLog, CallResult } from './contract.js';
import { createMemoryPool, usedByAnother } from './pool.js';

export const chainId = 2_021;
export const contractAddress = '0x00000000000000000000000000000000000000c0';
/** The address of the contract with the rules of `TokenPools.sol`, deployed from the beginning. */
export const tokenPoolsAddress = '0x00000000000000000000000000000000000000c1';

export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly time: string;
  readonly logs: readonly MemoryLog[];
  /** The transaction of the block, if a key signed it. */
  readonly transaction?: MinedTransaction;
}

export interface MinedTransaction {
  readonly hash: string;
  readonly sender: string;
  readonly nonce: number;
  readonly call: ChainCall;
  readonly isReverted: boolean;
}

/** A chain with one transaction per block, and the state derived from it. */
export interface MemoryChain {
  /** A growing list, indexed by block number. */
  readonly blocks: readonly Block[];

  /** The lowest free nonce of a key. */
  nonce(key: string): number;

  /**
   * Resolves with the receipt of signed bytes: the existing one, or that of the block mined now. Bytes whose nonce is
   * ahead wait for those before them, until the signal aborts. Rejects with ChainError.
   */
  submit(raw: string, signal: AbortSignal): Promise<Receipt>;

  /** Mines bytes with the key's next nonce. */
  mine(raw: string): Receipt;

  /** The signing key of a member. */
  memberKey(organization: string): string;

  /** Queries a contract, after the latest block or an earlier one. */
  query(query: ContractQuery): QueryAnswer;

  /** Mines the outcome of an action of the operator. */
  operate(outcome: CallResult): void;

  /** Removes the last blocks, with their receipts and nonces. Returns the signed bytes of their calls, in order. */
  rewind(count: number): readonly string[];

  /** Called after every change of the blocks. */
  readonly listeners: Set<() => void>;
  changed(): void;
}

export interface MemoryChainOptions {
  readonly clock: Clock;
  readonly name: string;
  /** JSON text of the limits that the network is created with, in the first block. */
  readonly limits: string;
  readonly contract: MemoryContract;
  /** Creates the initial state of the other contracts: address → rules. */
  readonly newContracts: () => ReadonlyMap<string, ContractRules>;
  /** Called before each call of a key; returns a reason to revert it. */
  readonly objection: () => string | undefined;
}

export function createMemoryChain(options: MemoryChainOptions): MemoryChain {
  const { contract, newContracts, objection } = options;
  const history = createBlocks(options);
  const { blocks, listeners, changed } = history;
  const [receipts, nonces] = [new Map<string, Receipt>(), new Map<string, number>()];
  const [accounts, pool] = [createMemoryAccounts(newContracts()), createMemoryPool(options.clock)];
  const nonceOf = (key: string): number => nonces.get(key) ?? 0;

  function effectOf({ from, nonce, call }: MemoryTransaction): Effect {
    const reason = objection();
    if (reason !== undefined) return { reason, data: '0x' };
    if (call.type === 'contract') return accounts.call(from, nonce, call);
    const outcome = contract.call(from, call);
    return 'reason' in outcome ? { ...outcome, data: '0x' } : { logs: [outcome.log] };
  }

  function mine(raw: string): Receipt {
    const transaction = decodeTransaction(raw);
    const { from, nonce, call } = transaction;
    const transactionHash = transactionHashOf(raw);
    nonces.set(from, nonce + 1);
    const effect = effectOf(transaction);
    const isReverted = 'reason' in effect;
    const mined = { hash: transactionHash, sender: from, nonce, call, isReverted };
    const block = history.add(transactionHash, isReverted ? [] : effect.logs, mined);
    const receipt = receiptOf(effect, transactionHash, block);
    receipts.set(transactionHash, receipt);
    pool.settle({ raw, from, nonce }, receipt);
    const next = pool.at(from, nonce + 1);
    if (next !== undefined) mine(next);
    return receipt;
  }

  return {
    blocks,
    listeners,
    changed,
    nonce: nonceOf,
    mine,
    memberKey: contract.memberKey,

    async submit(raw, signal) {
      const known = receipts.get(transactionHashOf(raw));
      if (known !== undefined) return known;
      const transaction = decodeTransaction(raw);
      assertTakes(transaction);
      const { from, nonce } = transaction;
      if (nonce < nonceOf(from)) throw usedByAnother({ from, nonce });
      return nonce > nonceOf(from) ? pool.wait({ raw, from, nonce }, signal) : mine(raw);
    },

    query: createQuery(blocks, accounts, newContracts),

    operate(outcome) {
      assert('log' in outcome, `the contract takes what it is given: ${'reason' in outcome ? outcome.reason : ''}`);
      history.add(hashOf(`operator ${blocks.length}`), [outcome.log]);
    },

    rewind(count) {
      assert(count < blocks.length, 'the genesis block stays');
      const gone = blocks.splice(blocks.length - count).flatMap(({ transaction }) => transaction ?? []);
      for (const transaction of [...gone].reverse()) {
        receipts.delete(transaction.hash);
        nonces.set(transaction.sender, nonceOf(transaction.sender) - 1);
        if (transaction.call.type === 'contract' && !transaction.isReverted) accounts.undo(transaction.call);
      }
      changed();
      return gone.map(bytesOf);
    },
  };
}

function bytesOf({ sender, nonce, call }: MinedTransaction): string {
  return encodeTransaction({ chainId, contract: contractAddress, from: sender, nonce, call }).raw;
}

function createQuery(
  blocks: readonly Block[],
  accounts: MemoryAccounts,
  newContracts: MemoryChainOptions['newContracts'],
): MemoryChain['query'] {
  return ({ to, data, from = noSender, block = blocks.length - 1 }) => {
    const isNow = block === blocks.length - 1;
    if (block >= blocks.length) throw new ChainError('unreachable', `There is no block ${block}.`);
    return (isNow ? accounts : accountsAfter(blocks.slice(0, block + 1), newContracts)).query(from, { to, data });
  };
}

interface Blocks extends Pick<MemoryChain, 'listeners' | 'changed'> {
  readonly blocks: Block[];
  /** Adds the next block and returns its number. */
  add(transactionHash: string, logs: readonly NewLog[], transaction?: MinedTransaction): number;
}

function createBlocks({ clock, name, limits }: MemoryChainOptions): Blocks {
  const created = { type: 'network_created', limits } as const;
  const genesis: Block = {
    number: 0,
    hash: hashOf(name),
    time: clock.now(),
    logs: placed([created], {
      block: 0,
      blockHash: hashOf(name),
      transactionHash: hashOf(`creation of ${name}`),
      time: clock.now(),
    }),
  };
  const blocks: Block[] = [genesis];
  const listeners = new Set<() => void>();

  function changed(): void {
    for (const listener of [...listeners]) listener();
  }

  return {
    blocks,
    listeners,
    changed,
    add(transactionHash, logs, transaction) {
      const block = blockAfter(blocks.at(-1) ?? genesis, clock.now(), transactionHash, logs);
      blocks.push(transaction === undefined ? block : { ...block, transaction });
      changed();
      return block.number;
    },
  };
}

/** Throws ChainError `refused` for a transaction that such a chain never accepts. */
function assertTakes(transaction: MemoryTransaction): void {
  const { call } = transaction;
  if (transaction.chainId !== chainId || transaction.contract !== contractAddress) {
    throw new ChainError('refused', 'The call is signed for another chain or contract.');
  }
  if (call.type === 'contract' && call.gas > maxTransactionGas) {
    throw new ChainError('refused', `The call asks for ${call.gas} gas, more than ${maxTransactionGas}.`);
  }
}

function receiptOf(effect: Effect, transactionHash: string, block: number): Receipt {
  if ('reason' in effect) return { status: 'reverted', transactionHash, block, ...effect };
  const { contract } = effect;
  return {
    status: 'success',
    transactionHash,
    block,
    transactionIndex: 0,
    ...(contract !== undefined && { contract }),
  };
}

type Effect =
  { readonly logs: readonly NewLog[]; readonly contract?: string } | { readonly reason: string; readonly data: string };

const noSender = `0x${'0'.repeat(40)}`;

/** Rebuilds the contracts by repeating the calls of these blocks. */
function accountsAfter(
  blocks: readonly Block[],
  newContracts: () => ReadonlyMap<string, ContractRules>,
): MemoryAccounts {
  const accounts = createMemoryAccounts(newContracts());
  for (const { transaction } of blocks) {
    if (transaction?.call.type !== 'contract' || transaction.isReverted) continue;
    accounts.call(transaction.sender, transaction.nonce, transaction.call);
  }
  return accounts;
}

/** Creates a block. Its time is never before its parent's, as on every chain. */
function blockAfter(parent: Block, now: string, transactionHash: string, newLogs: readonly NewLog[]): Block {
  const number = parent.number + 1;
  const time = now < parent.time ? parent.time : now;
  const hash = hashOf(`${parent.hash} ${time} ${transactionHash}`);
  const logs = placed(newLogs, { block: number, blockHash: hash, transactionHash, time });
  return { number, hash, time, logs };
}

interface LogPlace {
  readonly block: number;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly time: string;
}

function placed(logs: readonly NewLog[], { block, blockHash, transactionHash, time }: LogPlace): MemoryLog[] {
  return logs.map((log, logIndex) => ({
    position: { block, transactionIndex: 0, logIndex },
    blockHash,
    chainId,
    transactionHash,
    time,
    ...log,
  }));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  type ChainCall,
  ChainError,
  type ContractQuery,
  type QueryAnswer,
  type Receipt,
  maxTransactionGas,
} from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import { type ContractRules, createMemoryAccounts, type MemoryAccounts } from './memory-accounts.js';
import { decodeTransaction, type MemoryTransaction, transactionHashOf } from './memory-call.js';
import type { MemoryContract, MemoryLog, NewLog, Outcome } from './memory-contract.js';
import { createMemoryPool, usedByAnother } from './memory-pool.js';

export const chainId = 2_021;
export const contractAddress = '0x00000000000000000000000000000000000000c0';
/** Where the contract with the rules of `TokenPools.sol` stands, from the beginning. */
export const tokenPoolsAddress = '0x00000000000000000000000000000000000000c1';

export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly time: string;
  readonly logs: readonly MemoryLog[];
  /** What the block is made of, if a key signed it. */
  readonly transaction?: MinedTransaction;
}

export interface MinedTransaction {
  readonly hash: string;
  readonly sender: string;
  readonly nonce: number;
  readonly call: ChainCall;
  readonly isReverted: boolean;
}

/** Blocks of one transaction each, with what a chain knows beside them. */
export interface MemoryChain {
  /** Growing; a block stands at its number. */
  readonly blocks: readonly Block[];

  /** The lowest nonce of a key that is free. */
  nonce(key: string): number;

  /**
   * The receipt of signed bytes: the one that they have, or that of the block that they are mined in now. Bytes whose
   * nonce is ahead wait for those before them, at most for as long as the signal says. Rejects with ChainError.
   */
  submit(raw: string, signal: AbortSignal): Promise<Receipt>;

  /** Mines bytes with the key's next nonce. */
  mine(raw: string): Receipt;

  /** The signing key of a member. */
  memberKey(organization: string): string;

  /** What a contract answers, after the newest block or an earlier one. */
  query(query: ContractQuery): QueryAnswer;

  /** Mines what the operator did. */
  operate(outcome: Outcome): void;

  /** Takes the last blocks away, with their receipts and nonces. */
  rewind(count: number): void;

  /** Calls the listener after every change of the blocks, until it is taken out again. */
  readonly listeners: Set<() => void>;
  changed(): void;
}

export interface MemoryChainOptions {
  readonly clock: Clock;
  readonly name: string;
  /** JSON text of the limits that the network is created with, in the first block. */
  readonly limits: string;
  readonly contract: MemoryContract;
  /** The other contracts, as they are in the beginning: address → rules. */
  readonly newContracts: () => ReadonlyMap<string, ContractRules>;
  /** Asked before each call of a key: the reason to revert it, whatever it is. */
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
      for (const { transaction } of blocks.splice(blocks.length - count).reverse()) {
        if (transaction === undefined) continue;
        receipts.delete(transaction.hash);
        nonces.set(transaction.sender, nonceOf(transaction.sender) - 1);
        if (transaction.call.type === 'contract' && !transaction.isReverted) accounts.undo(transaction.call);
      }
      changed();
    },
  };
}

function createQuery(
  blocks: readonly Block[],
  accounts: MemoryAccounts,
  newContracts: MemoryChainOptions['newContracts'],
): MemoryChain['query'] {
  return ({ to, data, from = noSender, block = blocks.length - 1 }) => {
    const isNow = block === blocks.length - 1;
    return (isNow ? accounts : accountsAfter(blocks.slice(0, block + 1), newContracts)).query(from, { to, data });
  };
}

interface Blocks extends Pick<MemoryChain, 'listeners' | 'changed'> {
  readonly blocks: Block[];
  /** Makes the next block: its number. */
  add(transactionHash: string, logs: readonly NewLog[], transaction?: MinedTransaction): number;
}

function createBlocks({ clock, name, limits }: MemoryChainOptions): Blocks {
  const created = { type: 'network_created', limits } as const;
  const genesis: Block = {
    number: 0,
    hash: hashOf(name),
    time: clock.now(),
    logs: placed([created], { block: 0, transactionHash: hashOf(`creation of ${name}`), time: clock.now() }),
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

/** Throws ChainError `refused` for what no chain like this one ever takes. */
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
  return { status: 'success', transactionHash, block, ...(contract !== undefined && { contract }) };
}

type Effect =
  { readonly logs: readonly NewLog[]; readonly contract?: string } | { readonly reason: string; readonly data: string };

const noSender = `0x${'0'.repeat(40)}`;

/** The contracts as they were: what these blocks say is done again. */
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

/** A block's time never goes back, as on every chain. */
function blockAfter(parent: Block, now: string, transactionHash: string, newLogs: readonly NewLog[]): Block {
  const number = parent.number + 1;
  const time = now < parent.time ? parent.time : now;
  const logs = placed(newLogs, { block: number, transactionHash, time });
  return { number, hash: hashOf(`${parent.hash} ${time} ${transactionHash}`), time, logs };
}

interface LogPlace {
  readonly block: number;
  readonly transactionHash: string;
  readonly time: string;
}

function placed(logs: readonly NewLog[], { block, transactionHash, time }: LogPlace): MemoryLog[] {
  return logs.map((log, logIndex) => ({
    position: { block, transactionIndex: 0, logIndex },
    transactionHash,
    time,
    ...log,
  }));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

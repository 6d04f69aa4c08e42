import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { StackSettings } from '../definition/definition.js';
import { createRpcCaller } from '../tasks/exchange.js';

const Hex = Type.String({ pattern: '^0x[0-9a-f]*$' });
const Transaction = Type.Object({ hash: Hex, from: Hex, to: Type.Union([Hex, Type.Null()]) });
const Block = Type.Object({ number: Hex, hash: Hex, timestamp: Hex, transactions: Type.Array(Transaction) });
const Log = Type.Object({
  address: Hex,
  topics: Type.Array(Hex),
  data: Hex,
  blockNumber: Hex,
  transactionIndex: Hex,
  transactionHash: Hex,
  logIndex: Hex,
});
const Receipt = Type.Object({ status: Hex });

/** A block with its transactions and logs. */
export interface ChainBlock {
  readonly number: number;
  readonly hash: string;
  /** ISO 8601. */
  readonly time: string;
  readonly transactions: readonly Static<typeof Transaction>[];
  readonly logs: readonly Static<typeof Log>[];
  readonly reverted: readonly Static<typeof Transaction>[];
}

/** Reads a chain over JSON-RPC. Every method throws Error if the response is not a chain's. */
export interface ChainReader {
  chainId(): Promise<number>;
  head(): Promise<number>;
  /** A block, without its logs and without which transactions were reverted. */
  block(number: number): Promise<Omit<ChainBlock, 'logs' | 'reverted'>>;
  /** The newest blocks, the newest first. */
  newest(count: number): Promise<readonly ChainBlock[]>;
  /** In wei. */
  balance(address: string): Promise<bigint>;
  /** The current mining mode, which may differ from the definition. */
  mining(): Promise<ChainMining>;
  /** Number of transactions that wait for a block. */
  waiting(): Promise<number>;
}

/** The controls of a local chain for users. Everything is recorded in its journal, so it survives restarts. */
export interface ChainControl {
  /** Mines this number of blocks, with the waiting transactions. */
  mine(count: number): Promise<void>;
  advance(seconds: number): Promise<void>;
  setMining(mining: ChainMining): Promise<void>;
}

/** Controls a local chain, with the address and token of its reader. Every method throws Error if the chain refuses. */
export function createChainControl(url: string, token?: string): ChainControl {
  const rpc = createRpcCaller(url, token);
  return {
    // An interval of 0 seconds: mining does not advance the clock.
    mine: async (count) => void (await rpc('hardhat_mine', hex(count), hex(0))),
    advance: async (seconds) => void (await rpc('evm_increaseTime', seconds)),
    async setMining({ auto, intervalMs }) {
      await rpc('evm_setIntervalMining', intervalMs);
      await rpc('evm_setAutomine', auto);
    },
  };
}

/** When a chain mines: at each transaction (`auto`), at intervals, or with neither only on request. */
export const Mining = Type.Object({ auto: Type.Boolean(), intervalMs: Type.Integer({ minimum: 0 }) });
export type ChainMining = Static<typeof Mining>;

/** The mining mode in the definition of a stack. */
export function definedMining({ chain: { mining } }: Pick<StackSettings, 'chain'>): ChainMining {
  return mining === 'auto' ? { auto: true, intervalMs: 0 } : { auto: false, intervalMs: mining.intervalMs };
}

/** Whether the chain mines only on request. */
export function isPaused({ auto, intervalMs }: ChainMining): boolean {
  return !auto && intervalMs === 0;
}

/** Creates a reader of the chain at a JSON-RPC address, with its token or other credentials. */
export function createChainReader(url: string, credentials?: Parameters<typeof createRpcCaller>[1]): ChainReader {
  const rpc = createRpcCaller(url, credentials);
  async function ask<Schema extends TSchema>(
    schema: Schema,
    method: string,
    ...parameters: readonly unknown[]
  ): Promise<Static<Schema>> {
    const result = await rpc(method, ...parameters);
    if (Value.Check(schema, result)) return result;
    throw new Error(`The chain gave an unexpected answer to ${method}.`);
  }
  async function block(number: number) {
    const { hash, timestamp, transactions } = await ask(Block, 'eth_getBlockByNumber', hex(number), true);
    return { number, hash, time: new Date(Number(timestamp) * 1_000).toISOString(), transactions };
  }
  /** A transaction with a log was not reverted, so only the others are queried. */
  async function whole(number: number, logs: ChainBlock['logs']): Promise<ChainBlock> {
    const found = await block(number);
    const withLogs = new Set(logs.map(({ transactionHash }) => transactionHash));
    const others = found.transactions.filter(({ hash }) => !withLogs.has(hash));
    const receipts = await Promise.all(others.map(({ hash }) => ask(Receipt, 'eth_getTransactionReceipt', hash)));
    return { ...found, logs, reverted: others.filter((_, index) => receipts[index]?.status === '0x0') };
  }
  const head = async () => Number(await ask(Hex, 'eth_blockNumber'));
  return {
    chainId: async () => Number(await ask(Hex, 'eth_chainId')),
    head,
    block,
    async newest(count) {
      const last = await head();
      const first = Math.max(0, last - count + 1);
      const logs = await ask(Type.Array(Log), 'eth_getLogs', { fromBlock: hex(first), toBlock: hex(last) });
      const numbers = Array.from({ length: last - first + 1 }, (_, index) => last - index);
      const of = (number: number) => logs.filter(({ blockNumber }) => Number(blockNumber) === number);
      return Promise.all(numbers.map((number) => whole(number, of(number))));
    },
    mining: () => ask(Mining, 'parley_mining'),
    waiting: async () => (await ask(Type.Array(Type.Unknown()), 'eth_pendingTransactions')).length,
    balance: async (address) => BigInt(await ask(Hex, 'eth_getBalance', address, 'latest')),
  };
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { createRpc } from './tasks/exchange.js';

const Hex = Type.String({ pattern: '^0x[0-9a-f]*$' });
const Transaction = Type.Object({ hash: Hex, from: Hex, to: Type.Union([Hex, Type.Null()]) });
const Block = Type.Object({ number: Hex, hash: Hex, timestamp: Hex, transactions: Type.Array(Transaction) });
const Log = Type.Object({
  ...{ address: Hex, topics: Type.Array(Hex), data: Hex },
  ...{ blockNumber: Hex, transactionIndex: Hex, transactionHash: Hex, logIndex: Hex },
});
const Receipt = Type.Object({ status: Hex });

/** A block as people look at it. */
export interface ChainBlock {
  readonly number: number;
  readonly hash: string;
  /** ISO 8601. */
  readonly time: string;
  readonly transactions: readonly Static<typeof Transaction>[];
  readonly logs: readonly Static<typeof Log>[];
  /** Which of its transactions were reverted, and have changed nothing. */
  readonly reverted: readonly Static<typeof Transaction>[];
}

/** What a chain tells whoever asks over JSON-RPC. Every method throws Error when it does not answer as a chain does. */
export interface ChainReader {
  chainId(): Promise<number>;
  head(): Promise<number>;
  /** One block without what its transactions did. */
  block(number: number): Promise<Omit<ChainBlock, 'logs' | 'reverted'>>;
  /** The newest blocks, the newest first. */
  newest(count: number): Promise<readonly ChainBlock[]>;
  /** In wei. */
  balance(address: string): Promise<bigint>;
}

/** Reads a chain at its JSON-RPC address, with the token that it asks for. */
export function createChainReader(url: string, token?: string): ChainReader {
  const rpc = createRpc(url, token);
  async function ask<Schema extends TSchema>(
    schema: Schema,
    method: string,
    ...parameters: readonly unknown[]
  ): Promise<Static<Schema>> {
    const result = await rpc(method, ...parameters);
    if (Value.Check(schema, result)) return result;
    throw new Error(`The chain answered ${method} with something unexpected.`);
  }
  async function block(number: number) {
    const { hash, timestamp, transactions } = await ask(Block, 'eth_getBlockByNumber', hex(number), true);
    return { number, hash, time: new Date(Number(timestamp) * 1_000).toISOString(), transactions };
  }
  /** What has left a log was not reverted: only of the others the chain is asked. */
  async function whole(number: number, logs: ChainBlock['logs']): Promise<ChainBlock> {
    const found = await block(number);
    const heard = new Set(logs.map(({ transactionHash }) => transactionHash));
    const silent = found.transactions.filter(({ hash }) => !heard.has(hash));
    const receipts = await Promise.all(silent.map(({ hash }) => ask(Receipt, 'eth_getTransactionReceipt', hash)));
    return { ...found, logs, reverted: silent.filter((_, index) => receipts[index]?.status === '0x0') };
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
    balance: async (address) => BigInt(await ask(Hex, 'eth_getBalance', address, 'latest')),
  };
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}

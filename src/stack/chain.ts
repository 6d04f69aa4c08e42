import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { createRpc } from './tasks/exchange.js';

const Hex = Type.String({ pattern: '^0x[0-9a-f]*$' });
const Transaction = Type.Object({ hash: Hex, from: Hex, to: Type.Union([Hex, Type.Null()]) });
const Block = Type.Object({ number: Hex, hash: Hex, timestamp: Hex, transactions: Type.Array(Transaction) });
const Log = Type.Object({
  ...{ address: Hex, topics: Type.Array(Hex), data: Hex },
  ...{ blockNumber: Hex, transactionIndex: Hex, logIndex: Hex },
});

/** A block as people look at it. */
export interface ChainBlock {
  readonly number: number;
  readonly hash: string;
  /** ISO 8601. */
  readonly time: string;
  readonly transactions: readonly Static<typeof Transaction>[];
  readonly logs: readonly Static<typeof Log>[];
}

/** What a chain tells whoever asks over JSON-RPC. Every method throws Error when it does not answer as a chain does. */
export interface ChainReader {
  chainId(): Promise<number>;
  head(): Promise<number>;
  /** One block without its logs. */
  block(number: number): Promise<ChainBlock>;
  /** The newest blocks, the newest first. */
  newest(count: number): Promise<readonly ChainBlock[]>;
  /** In wei. */
  balance(address: string): Promise<bigint>;
}

/** Reads a chain at its JSON-RPC address. */
export function createChainReader(url: string): ChainReader {
  const rpc = createRpc(url);
  async function ask<Schema extends TSchema>(
    schema: Schema,
    method: string,
    ...parameters: readonly unknown[]
  ): Promise<Static<Schema>> {
    const result = await rpc(method, ...parameters);
    if (Value.Check(schema, result)) return result;
    throw new Error(`The chain answered ${method} with something unexpected.`);
  }
  async function block(number: number, logs: ChainBlock['logs'] = []): Promise<ChainBlock> {
    const { hash, timestamp, transactions } = await ask(Block, 'eth_getBlockByNumber', hex(number), true);
    return { number, hash, time: new Date(Number(timestamp) * 1_000).toISOString(), transactions, logs };
  }
  const head = async () => Number(await ask(Hex, 'eth_blockNumber'));
  return {
    chainId: async () => Number(await ask(Hex, 'eth_chainId')),
    head,
    block: (number) => block(number),
    async newest(count) {
      const last = await head();
      const first = Math.max(0, last - count + 1);
      const logs = await ask(Type.Array(Log), 'eth_getLogs', { fromBlock: hex(first), toBlock: hex(last) });
      const numbers = Array.from({ length: last - first + 1 }, (_, index) => last - index);
      const of = (number: number) => logs.filter(({ blockNumber }) => Number(blockNumber) === number);
      return Promise.all(numbers.map((number) => block(number, of(number))));
    },
    balance: async (address) => BigInt(await ask(Hex, 'eth_getBalance', address, 'latest')),
  };
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}

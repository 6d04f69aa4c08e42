import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Interface } from 'ethers';
import { type WebSocket, WebSocketServer } from 'ws';
import { uuidsOf } from '../../../../src/adapters/blockchain/abi.js';
import { createEthereumBlockchain, type EthereumOptions } from '../../../../src/adapters/blockchain/ethereum.js';
import { createSystemClock } from '../../../../src/adapters/clock/system.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import type { Blockchain } from '../../../../src/ports/blockchain.js';
import { aPin } from '../../../compliance/blockchain/follower.js';

/** A JSON-RPC server with answers and blocks that a test controls. */
export interface ScriptedChain {
  readonly url: string;
  readonly contract: string;
  /** Method → answer, which tests may replace. A thrown error is the error of the answer; `silence` is no answer. */
  readonly methods: Record<string, (...parameters: never[]) => unknown>;
  /** The called methods, in order. */
  readonly asked: string[];
  /** Makes a block with this many pins, and announces it unless `isQuiet`. */
  mine(pins?: number, options?: { readonly isQuiet?: boolean }): void;
  /** Removes the last blocks. New ones have other hashes. */
  rewind(count: number): void;
  /** Sends a text to all subscribers. */
  say(text: string): void;
  /** Ends all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** Connects to the chain without keys, unless there are other options. */
export function connectTo({ url, contract }: ScriptedChain, options: Partial<EthereumOptions> = {}): Blockchain {
  const [log, clock] = [createSilentLog(), createSystemClock()];
  return createEthereumBlockchain({ url, contract, firstBlock: 1, confirmations: 0, keys: [], log, clock, ...options });
}

/** The result of a method that never answers. */
export const silence = Symbol('silence');

/** An error of the server, to be thrown by a method. */
export class ScriptedError extends Error {
  constructor(
    message: string,
    readonly code = -32_000,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

interface Block {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly pins: number;
}

const contract = `0x${'c0'.repeat(20)}`;
const events = new Interface(['event BatchPin(address indexed, bytes32, bytes32, string, bytes32[])']);
const zero = `0x${'0'.repeat(64)}`;

export async function openScriptedChain(): Promise<ScriptedChain> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const address = server.address();
  assert(typeof address === 'object' && address !== null, 'a socket has an address');
  const subscribers = new Set<WebSocket>();
  const asked: string[] = [];
  const blocks: Block[] = [];
  let forks = 0;

  function mine(pins = 0, { isQuiet = false } = {}): void {
    const number = hexOf(blocks.length);
    const parentHash = blocks.at(-1)?.hash ?? zero;
    const hash = `0x${createHash('sha256').update(`${parentHash} ${forks}`).digest('hex')}`;
    const block = { number, hash, parentHash, timestamp: hexOf(1_767_225_600 + blocks.length), pins };
    blocks.push(block);
    const params = { subscription: '0x1', result: block };
    if (!isQuiet) say(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }));
  }

  function say(text: string): void {
    for (const socket of subscribers) socket.send(text);
  }

  const methods: ScriptedChain['methods'] = {
    eth_chainId: () => '0x7e5',
    eth_getCode: () => '0x60',
    eth_blockNumber: () => hexOf(blocks.length - 1),
    eth_getBlockByNumber: (block: string) => (block === 'latest' ? blocks.at(-1) : blocks[Number(block)]) ?? null,
    eth_subscribe: () => '0x1',
    eth_unsubscribe: () => true,
    eth_getLogs: ({ fromBlock, toBlock, blockHash }: Range) =>
      blocks
        .filter(({ number, hash }) => isWithin(number, fromBlock, toBlock) || hash === blockHash)
        .flatMap((block) => logsOf(block)),
  };

  server.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const { id, method, params }: { id: number; method: string; params: never[] } = JSON.parse(data.toString());
      asked.push(method);
      const answer = answerOf(methods[method], params);
      if (answer !== silence) socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      if (method === 'eth_subscribe') subscribers.add(socket);
    });
    socket.on('close', () => subscribers.delete(socket));
  });

  const cut = (): void => {
    for (const socket of server.clients) socket.terminate();
  };
  mine();
  return {
    url: `ws://127.0.0.1:${address.port}`,
    contract,
    methods,
    asked,
    mine,
    say,
    cut,
    rewind(count) {
      forks += 1;
      blocks.length -= count;
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Range {
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly blockHash?: string;
}

function isWithin(number: string, from = '', to = ''): boolean {
  return Number(number) >= Number(from) && Number(number) <= Number(to) && from !== '';
}

function answerOf(
  answer: ((...parameters: never[]) => unknown) | undefined,
  parameters: never[],
): { result: unknown } | { error: unknown } | typeof silence {
  if (answer === undefined) return { error: { code: -32_601, message: 'method not found' } };
  try {
    const result = answer(...parameters);
    return result === silence ? silence : { result };
  } catch (error) {
    if (!(error instanceof ScriptedError)) throw error;
    const { code, message: sentence, data } = error;
    return { error: { code, message: sentence, data } };
  }
}

function logsOf({ number, hash, pins }: Block): unknown[] {
  return Array.from({ length: pins }, (_, index) => {
    const { transactionId, batchId, batchHash, payloadRef, contexts } = aPin();
    const { data, topics } = events.encodeEventLog('BatchPin', [
      `0x${'a'.repeat(40)}`,
      uuidsOf(transactionId, batchId),
      `0x${batchHash}`,
      payloadRef,
      contexts.map((context) => `0x${context}`),
    ]);
    return {
      address: contract,
      topics,
      data,
      blockNumber: number,
      blockHash: hash,
      transactionHash: zero,
      transactionIndex: '0x0',
      logIndex: hexOf(index),
    };
  });
}

function hexOf(value: number): string {
  return `0x${value.toString(16)}`;
}

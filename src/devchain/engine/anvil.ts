import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Agents, createAgents } from '../../http/client/agents.js';
import { openRequest } from '../../http/client/request.js';
import { readText } from '../../http/client/response.js';
import { startAnvilProcess } from './anvil-process.js';
import {
  blockGasLimit,
  type Chain,
  coinbase,
  createChain,
  type Genesis,
  initialBaseFee,
  type Provider,
} from './chain.js';

/** Anvil as the engine of the chain. */
export interface AnvilEngine {
  newChain(genesis: Genesis): Promise<Chain>;
  stop(): Promise<void>;
}

interface AnvilOptions {
  readonly program: string;
  /** A directory for the file with its genesis. */
  readonly directory: string;
  /** Called when it ends by itself. */
  readonly fail: (error: Error) => void;
}

/**
 * Runs the program of Anvil as the engine: it keeps its chain in memory and makes blocks only when it is told to, as
 * Hardhat's engine does, so that the journal is what the chain is made of here, too.
 */
export function createAnvilEngine({ program, directory, fail }: AnvilOptions): AnvilEngine {
  const stops: (() => Promise<void>)[] = [];
  return {
    async newChain(genesis) {
      const file = join(directory, 'anvil-genesis.json');
      await writeFile(file, genesisText(genesis));
      const words = ['--accounts', '0', '--no-mining', '--order', 'fifo', '--no-cors', '--hardfork', 'osaka'];
      const limits = ['--gas-limit', String(blockGasLimit), '--max-persisted-states', '0', '--no-request-size-limit'];
      const running = await startAnvilProcess(program, [...words, ...limits, '--init', file]);
      let isWanted = true;
      stops.push(async () => {
        isWanted = false;
        await running.stop();
      });
      void running.ended.then((how) => {
        if (isWanted) fail(new Error(`Anvil has ended: ${how}.`));
      });
      return createChain(createProvider(running.url), () => undefined);
    },
    async stop() {
      for (const stop of stops.splice(0)) await stop();
    },
  };
}

function genesisText({ chainId, time, accounts }: Genesis): string {
  const alloc = accounts.map(({ address, balance }) => [address.slice(2), { balance: hex(balance) }] as const);
  return JSON.stringify({
    config: { chainId },
    nonce: '0x0',
    timestamp: hex(time),
    extraData: '0x',
    gasLimit: hex(blockGasLimit),
    difficulty: '0x0',
    mixHash: `0x${'0'.repeat(64)}`,
    coinbase: `0x${coinbase}`,
    baseFeePerGas: hex(initialBaseFee),
    alloc: Object.fromEntries(alloc),
  });
}

function hex(number: number | bigint): string {
  return `0x${number.toString(16)}`;
}

/** A call as the chain makes it. */
interface EngineCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Speaks to Anvil as to Hardhat's engine: in what it is asked, and in how it answers. */
function createProvider(url: string): Provider {
  const agents = createAgents();
  const answerTo = async (call: EngineCall): Promise<string> => {
    if (call.method === 'eth_pendingTransactions') return waitingIn(await post(url, agents, 'txpool_content', []));
    const text = await post(url, agents, call.method, call.params);
    // Hardhat's engine answers with the number 0, as a text.
    return call.method === 'evm_mine' && text.startsWith('{"result"') ? '{"result":"0"}' : text;
  };
  return {
    async handleRequest(text) {
      const asked: unknown = JSON.parse(text);
      if (isCall(asked)) return { data: await answerTo(asked) };
      assert(Array.isArray(asked) && asked.every(isCall), 'the chain makes calls');
      const results: string[] = [];
      // One after the other: each changes the chain, and the first that fails ends it.
      for (const call of asked) {
        const answer = await answerTo(call);
        if (!answer.startsWith(resultStart)) return { data: answer };
        results.push(answer.slice(resultStart.length, -1));
      }
      return { data: `${resultStart}[${results.join(',')}]}` };
    },
  };
}

const resultStart = '{"result":';

function isCall(value: unknown): value is EngineCall {
  return value instanceof Object && 'method' in value && typeof value.method === 'string' && 'params' in value;
}

/** The transactions that wait, as one list: those whose turn it is, and those ahead of their nonce. */
function waitingIn(answer: string): string {
  const lists = memberValues(memberOf(JSON.parse(answer), 'result')).flatMap((bySender) => memberValues(bySender));
  return `${resultStart}${JSON.stringify(lists.flatMap((byNonce) => memberValues(byNonce)))}}`;
}

function memberOf(value: unknown, name: string): unknown {
  return value instanceof Object ? Reflect.get(value, name) : undefined;
}

function memberValues(value: unknown): unknown[] {
  return value instanceof Object ? Object.values(value) : [];
}

/** More than the traces of a full block. */
const maxAnswerBytes = 268_435_456;
const envelope = /^\{"jsonrpc":"2\.0","id":1,("result":.*\})\s*$/s;

async function post(url: string, agents: Agents, method: string, params: readonly unknown[]): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = await readText(await openRequest({ url, method: 'POST', headers, body, agents }), maxAnswerBytes);
  const [, result] = envelope.exec(answer) ?? [];
  if (result !== undefined) return `{${result}`;
  const error = memberOf(JSON.parse(answer), 'error');
  assert(error instanceof Object, 'Anvil answers with a result or an error');
  const data = memberOf(error, 'data');
  return JSON.stringify({ error: { ...error, ...(data !== undefined && { data: { data } }) } });
}

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Agents, createAgents } from '../../http/client/agents.js';
import { openRequest } from '../../http/client/request.js';
import { readText } from '../../http/client/response.js';
import { startAnvilProcess } from './anvil-process.js';
import {
  blockGasLimit,
  type Call,
  type Chain,
  coinbase,
  createChain,
  type Genesis,
  initialBaseFee,
  type Provider,
} from './chain.js';

/** Anvil as the engine of the chain. */
export interface AnvilEngine {
  /** Creates a chain that has only its genesis block. It replaces the previous one, which must not be used any more. */
  newChain(genesis: Genesis): Promise<Chain>;
  stop(): Promise<void>;
}

interface AnvilOptions {
  readonly program: string;
  /** The directory for the genesis file. */
  readonly directory: string;
  /** Called when Anvil ends unexpectedly. */
  readonly fail: (error: Error) => void;
}

/**
 * Runs Anvil as the engine. It keeps the chain in memory and mines only on request, as Hardhat's engine does, so that
 * the journal can rebuild the chain.
 */
export function createAnvilEngine({ program, directory, fail }: AnvilOptions): AnvilEngine {
  let stopCurrent = (): Promise<void> => Promise.resolve();
  return {
    async newChain(genesis) {
      await stopCurrent();
      const file = join(directory, 'anvil-genesis.json');
      await writeFile(file, genesisText(genesis));
      const args = ['--accounts', '0', '--no-mining', '--order', 'fifo', '--no-cors', '--hardfork', 'osaka'];
      const limits = ['--gas-limit', String(blockGasLimit), '--max-persisted-states', '0', '--no-request-size-limit'];
      const running = await startAnvilProcess(program, [...args, ...limits, '--init', file]);
      let isStopping = false;
      stopCurrent = async () => {
        isStopping = true;
        await running.stop();
      };
      void running.ended.then((how) => {
        if (!isStopping) fail(new Error(`Anvil ended unexpectedly: ${how}.`));
      });
      return createChain(createProvider(running.url), () => undefined);
    },
    stop: () => stopCurrent(),
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

/** Adapts Anvil to the requests and responses of Hardhat's engine. */
function createProvider(url: string): Provider {
  const agents = createAgents();
  const answerTo = async (call: Call): Promise<string> => {
    if (call.method === 'eth_pendingTransactions')
      return pendingTransactionsIn(await post(url, agents, 'txpool_content', []));
    const text = await post(url, agents, call.method, call.params);
    // Hardhat's engine answers with the string "0".
    return call.method === 'evm_mine' && text.startsWith('{"result"') ? '{"result":"0"}' : text;
  };
  return {
    async handleRequest(text) {
      const asked: unknown = JSON.parse(text);
      if (isCall(asked)) return { data: await answerTo(asked) };
      assert(Array.isArray(asked) && asked.every(isCall), 'a request is a call or a list of calls');
      const results: string[] = [];
      // One after the other: each may change the chain, and the first failure ends the request.
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

function isCall(value: unknown): value is Call {
  return value instanceof Object && 'method' in value && typeof value.method === 'string' && 'params' in value;
}

/** All waiting transactions as one list, including those ahead of their nonce. */
function pendingTransactionsIn(answer: string): string {
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

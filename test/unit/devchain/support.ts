import { createRequire } from 'node:module';
import { type TransactionRequest, Wallet } from 'ethers';
import { createArmedFailpoint } from '../../../src/adapters/failpoint/armed.js';
import { createMemoryFiles } from '../../../src/adapters/files/memory.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import type { Chain, Genesis } from '../../../src/devchain/engine/chain.js';
import { type DevChainOptions, startDevChain } from '../../../src/devchain/devchain.js';
import { makeChain } from '../../support/chains.js';

export const alice = new Wallet(`0x${'1'.padStart(64, '0')}`);
export const bob = new Wallet(`0x${'2'.padStart(64, '0')}`);
export const poor = new Wallet(`0x${'3'.padStart(64, '0')}`);
export const richness = 10n ** 24n;
export const chainId = 31_337;
/** Later than the genesis, so that blocks get this time. */
export const todayMs = Date.parse('2026-06-01T00:00:00Z');

export const accounts = [alice, bob].map(({ address }) => ({ address, balance: String(richness) }));
export const genesis: Genesis = {
  chainId,
  time: Date.parse('2026-01-01T00:00:00Z') / 1_000,
  accounts: accounts.map(({ address, balance }) => ({ address, balance: BigInt(balance) })),
};

/** A chain in memory, without journal or server. */
export async function newChain(of: Genesis = genesis): Promise<Chain> {
  return makeChain(of);
}

/** Returns a signed transfer, of amount 0 unless `more` changes it. */
export function transfer(wallet: Wallet, nonce: number, more: TransactionRequest = {}): Promise<string> {
  return wallet.signTransaction({
    type: 2,
    chainId,
    nonce,
    to: bob.address,
    gasLimit: 100_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    ...more,
  });
}

export interface Served {
  readonly url: string;
  readonly port: number;
  /** The report about its start. */
  readonly note: string | undefined;
  readonly files: DevChainOptions['files'];
  /** The `result` of a call. Throws Error with the answer's error object as its cause. */
  call(method: string, ...params: unknown[]): Promise<unknown>;
  /** Posts any text; returns the parsed answer. */
  post(text: string): Promise<unknown>;
  stop(): Promise<void>;
  readonly failures: unknown[];
}

/** Starts the whole server in this process, by default on memory files, at a fixed time. */
export async function serve(more: Partial<DevChainOptions> = {}): Promise<Served> {
  const failures: unknown[] = [];
  const files = more.files ?? createMemoryFiles();
  const running = await startDevChain({
    config: aConfig(),
    newChain,
    nowMs: () => todayMs,
    log: createSilentLog(),
    failpoint: createArmedFailpoint(undefined),
    tellProgress: () => undefined,
    fail: (error) => failures.push(error),
    ...more,
    files,
  });
  const post = async (text: string): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(running.url, { method: 'POST', headers, body: text });
    return response.status === 204 ? undefined : response.json();
  };
  return {
    url: running.url,
    port: running.port,
    note: running.note,
    files,
    post,
    call: async (method, ...params) => {
      const answer = (await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))) as {
        result?: unknown;
        error?: { code: number; message: string };
      };
      if (answer.error !== undefined) throw new Error(answer.error.message, { cause: answer.error });
      return answer.result;
    },
    stop: () => running.stop(),
    failures,
  };
}

export function aConfig(more: Partial<DevChainOptions['config']> = {}): DevChainOptions['config'] {
  return {
    host: '127.0.0.1',
    port: 0,
    chainId,
    genesisTime: '2026-01-01T00:00:00Z',
    accounts,
    mining: { auto: true, intervalMs: 0 },
    hosts: [],
    origins: [],
    tokenFile: undefined,
    trustedNetwork: false,
    allowRevert: false,
    ...more,
  };
}

/** Returns the hashes of all blocks, oldest first. */
export async function blockHashes(served: Pick<Served, 'call'>): Promise<string[]> {
  const head = Number(await served.call('eth_blockNumber'));
  const hashes: string[] = [];
  for (let number = 0; number <= head; number += 1) {
    const block = await served.call('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
    hashes.push((block as { hash: string }).hash);
  }
  return hashes;
}

/** Returns the code of the error of a call. */
export async function codeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return (error as Error & { cause?: { code?: number } }).cause?.code;
  }
  return undefined;
}

export const artifact = createRequire(import.meta.url)('../../../contracts/artifacts/Network.json') as {
  abi: object[];
  bytecode: string;
};

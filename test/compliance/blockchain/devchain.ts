import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ContractFactory, Interface, JsonRpcProvider, Wallet } from 'ethers';
import { createArmedFailpoint } from '../../../src/adapters/failpoint/armed.js';
import { createMemoryFiles } from '../../../src/adapters/files/memory.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { startDevChain } from '../../../src/devchain/devchain.js';
import { makeChain } from '../../support/chains.js';

export const operatorKey = `0x${'1'.repeat(64)}`;
export const memberKey = `0x${'2'.repeat(64)}`;
export const outsiderKey = `0x${'3'.repeat(64)}`;

/** A dev chain in this process with `Network.sol` and one member, `alice`. Its port changes at each start. */
export interface ChainOfTest {
  url(): string;
  readonly contract: string;
  readonly firstBlock: number;
  addMember(organization: string, key: string): Promise<void>;
  /** Calls any JSON-RPC method. */
  ask(method: string, parameters: readonly unknown[]): Promise<unknown>;
  /** Sends a transaction of the operator to the contract's method with this signature. */
  operate(signature: string, values: readonly unknown[], from?: string): Promise<void>;
  /** Deploys `TokenPools.sol`; returns its address. */
  deployTokens(): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const artifact = readArtifact('Network');
const tokensArtifact = readArtifact('TokenPools');
const balance = `${10n ** 22n}`;

/** `ageSeconds`: how far its clock is behind, which distinguishes chains of one genesis. `limits`: of the network. */
export async function openChain({ ageSeconds = 0, limits = '{}' } = {}): Promise<ChainOfTest> {
  const files = createMemoryFiles();
  const accounts = [operatorKey, memberKey, outsiderKey].map((key) => ({ address: new Wallet(key).address, balance }));
  const start = (): ReturnType<typeof startDevChain> =>
    startDevChain({
      config: {
        host: '127.0.0.1',
        port: 0,
        chainId: 31_337,
        genesisTime: '2026-01-01T00:00:00Z',
        accounts,
        mining: { auto: true, intervalMs: 0 },
        hosts: [],
        origins: [],
        tokenFile: undefined,
        trustedNetwork: false,
        allowRevert: true,
      },
      files,
      newChain: makeChain,
      nowMs: () => Date.now() - ageSeconds * 1_000,
      log: createSilentLog(),
      failpoint: createArmedFailpoint(undefined),
      tellProgress: () => undefined,
      fail: (error) => {
        throw error;
      },
    });
  let running: Awaited<ReturnType<typeof start>> | undefined = await start();

  async function withProvider<T>(run: (provider: JsonRpcProvider) => Promise<T>): Promise<T> {
    assert(running !== undefined, 'the chain is up');
    const provider = new JsonRpcProvider(running.url, 31_337, {
      staticNetwork: true,
      batchMaxCount: 1,
      cacheTimeout: -1,
    });
    try {
      return await run(provider);
    } finally {
      provider.destroy();
    }
  }

  const deploy = ({ abi, bytecode }: CompiledContract, ...values: readonly unknown[]) =>
    withProvider(async (provider) => {
      const operator = new Wallet(operatorKey, provider);
      const { data } = await new ContractFactory(abi, bytecode).getDeployTransaction(...values);
      const raw = await signedOnce(operator, data, await operator.getNonce());
      const receipt = await provider.waitForTransaction(String(await provider.send('eth_sendRawTransaction', [raw])));
      return { contract: receipt?.contractAddress?.toLowerCase() ?? '', firstBlock: receipt?.blockNumber ?? 0 };
    });
  const place = await deploy(artifact, limits);

  const chain: ChainOfTest = {
    ...place,
    url: () => running?.url ?? 'http://127.0.0.1:9',
    ask: (method, parameters) => withProvider((provider) => provider.send(method, [...parameters])),
    operate: (signature, values, from = operatorKey) =>
      withProvider(async (provider) => {
        const data = new Interface([`function ${signature}`]).encodeFunctionData(signature, values);
        const sent = await new Wallet(from, provider).sendTransaction({ to: place.contract, data });
        await sent.wait();
      }),
    addMember: (organization, key) =>
      chain.operate('addMember(string,address,string,string,bytes32)', [
        organization,
        key,
        `node-${organization}`,
        `https://127.0.0.1/${organization}`,
        `0x${key.slice(2).padStart(64, '0')}`,
      ]),
    deployTokens: async () => (await deploy(tokensArtifact)).contract,
    async stop() {
      const stopped = running;
      running = undefined;
      await stopped?.stop();
    },
    async start() {
      running = await start();
    },
  };
  await chain.addMember('alice', new Wallet(memberKey).address);
  return chain;
}

const signed = new Map<string, Promise<string>>();

/** Signs a deployment once for all chains, since ethers takes as long to encode it as a chain to start. */
function signedOnce(operator: Wallet, data: string, nonce: number): Promise<string> {
  const key = `${nonce} ${data}`;
  const known = signed.get(key);
  if (known !== undefined) return known;
  const fees = { type: 2, gasLimit: 10_000_000, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 0 };
  const raw = operator.signTransaction({ ...fees, data, nonce, chainId: 31_337 });
  signed.set(key, raw);
  return raw;
}

interface CompiledContract {
  readonly abi: [];
  readonly bytecode: string;
}

function readArtifact(name: string): CompiledContract {
  return JSON.parse(readFileSync(new URL(`../../../contracts/artifacts/${name}.json`, import.meta.url), 'utf8'));
}

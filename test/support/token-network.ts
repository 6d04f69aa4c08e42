import { readFileSync } from 'node:fs';
import { ContractFactory, JsonRpcProvider, parseEther, Wallet } from 'ethers';
import { createEthereumBlockchain } from '../../src/adapters/blockchain/ethereum.js';
import { createSystemClock } from '../../src/adapters/clock/system.js';
import { createMemoryExchange } from '../../src/adapters/data-exchange/memory.js';
import { createMemoryFiles } from '../../src/adapters/files/memory.js';
import { createArmedFailpoint } from '../../src/adapters/failpoint/armed.js';
import { createEthersCodec } from '../../src/adapters/contract-codec/ethers.js';
import { createDirectJudge } from '../../src/adapters/judge/direct.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import { createPrometheusMetrics } from '../../src/adapters/metrics/prometheus.js';
import { createSystemRandom } from '../../src/adapters/random/system.js';
import { createMemoryStore } from '../../src/adapters/shared-store/memory.js';
import { createErc1155 } from '../../src/adapters/token-connector/erc1155.js';
import { createErc20Erc721 } from '../../src/adapters/token-connector/erc20-erc721.js';
import { createHttpWebhook } from '../../src/adapters/webhook/http.js';
import { type Client, createClient } from '../../src/client/client.js';
import { recordedLimits } from '../../src/domain/network/network-rules.js';
import { createNode } from '../../src/node/node.js';
import type { Database } from '../../src/ports/database.js';
import { textOf } from '../../src/wire/json/json.js';
import { memberKey, openChain, operatorKey, outsiderKey } from '../compliance/blockchain/devchain.js';
import { createDisk } from './disk.js';

/** A party with its node behind HTTP. */
export interface TokenParty {
  readonly client: Client;
  readonly url: string;
  readonly key: string;
  readonly database: Database;
  /** Unrecoverable errors. */
  readonly fatal: readonly Error[];
}

/** Nodes of alice, bob and carol on a dev chain with the contracts of both connectors, each on its own SQLite file. */
export interface TokenNetwork {
  readonly alice: TokenParty;
  readonly bob: TokenParty;
  readonly carol: TokenParty;
  readonly parties: readonly TokenParty[];
  readonly tokenPools: string;
  /** Deploys a contract of `contracts/`; returns its lower-case address. */
  deploy(artifact: string, ...values: unknown[]): Promise<string>;
  stop(): Promise<void>;
}

const privateKeys = { alice: memberKey, bob: outsiderKey, carol: `0x${'4'.repeat(64)}` } as const;

/** Starts the network; with `connectors: 1` nodes have `erc1155` only. */
export async function startTokenNetwork({ connectors: count = 2 } = {}): Promise<TokenNetwork> {
  const chain = await openChain({ limits: textOf(recordedLimits) });
  const endings: (() => Promise<void>)[] = [chain.stop];
  const provider = new JsonRpcProvider(chain.url(), 31_337, { staticNetwork: true, cacheTimeout: -1 });
  endings.unshift(() => Promise.resolve(provider.destroy()));
  const operator = new Wallet(operatorKey, provider);

  async function deploy(artifact: string, ...values: unknown[]): Promise<string> {
    const { abi, bytecode } = readArtifact(artifact);
    const contract = await new ContractFactory(abi, bytecode, operator).deploy(...values);
    await contract.waitForDeployment();
    return (await contract.getAddress()).toLowerCase();
  }

  await chain.addMember('bob', new Wallet(privateKeys.bob).address);
  await chain.addMember('carol', new Wallet(privateKeys.carol).address);
  await (
    await operator.sendTransaction({ to: new Wallet(privateKeys.carol).address, value: parseEther('100') })
  ).wait();
  const tokenPools = await deploy('TokenPools');
  const factory = await deploy('TokenFactory');
  const translators = [
    createErc1155({ address: tokenPools, firstBlock: 0 }),
    createErc20Erc721({ address: factory }),
  ].slice(0, count);
  const connectors = new Map(translators.map((connector) => [connector.name, connector]));
  const sharedStore = createMemoryStore();
  const exchange = createMemoryExchange();

  async function start(organization: keyof typeof privateKeys): Promise<TokenParty> {
    const disk = await createDisk('SQLite');
    const { address } = new Wallet(privateKeys[organization]);
    // The name under which `addMember` registered it.
    const node = `node-${organization}`;
    const peer = {
      endpoint: `https://127.0.0.1/${organization}`,
      publicKeyHash: address.slice(2).toLowerCase().padStart(64, '0'),
    };
    const metrics = createPrometheusMetrics();
    const log = createSilentLog();
    const clock = createSystemClock();
    const database = await disk.open();
    const [fatal, host]: [Error[], string] = [[], '127.0.0.1'];
    const blockchain = createEthereumBlockchain({
      url: chain.url().replace('http', 'ws'),
      contract: chain.contract,
      firstBlock: chain.firstBlock,
      confirmations: 0,
      keys: [privateKeys[organization]],
      log,
      clock,
    });
    const running = await createNode({
      config: { organization, node, host, port: 0, namespaces: ['default'], hosts: [], cors: { origins: [] } },
      contract: { address: chain.contract, firstBlock: chain.firstBlock },
      ports: {
        database,
        blockchain,
        connectors,
        codec: createEthersCodec(),
        judge: createDirectJudge(),
        sharedStore,
        clock,
        log,
        metrics,
        dataExchange: exchange.connect(peer),
        files: createMemoryFiles(),
        webhook: createHttpWebhook({ allow: [], host, closed: () => [] }),
        random: createSystemRandom(),
        failpoint: createArmedFailpoint(undefined),
      },
      metricsText: () => metrics.text(),
      onFatal: (error) => fatal.push(error),
    });
    endings.unshift(async () => {
      await running.stop();
      await blockchain.close();
      await disk.remove();
    });
    return {
      client: createClient({ url: running.url }),
      url: running.url,
      key: address.toLowerCase(),
      database,
      fatal,
    };
  }

  const [alice, bob, carol] = [await start('alice'), await start('bob'), await start('carol')];
  return {
    alice,
    bob,
    carol,
    parties: [alice, bob, carol],
    tokenPools,
    deploy,
    async stop() {
      for (const end of endings) await end();
    },
  };
}

function readArtifact(name: string): { abi: []; bytecode: string } {
  return JSON.parse(readFileSync(new URL(`../../contracts/artifacts/${name}.json`, import.meta.url), 'utf8'));
}

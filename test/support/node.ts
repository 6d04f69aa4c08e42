import { randomBytes } from 'node:crypto';
import { createMemoryLedger, type MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import { createSystemClock } from '../../src/adapters/clock/system.js';
import { createEthersCodec } from '../../src/adapters/contract-codec/ethers.js';
import { createDirectJudge } from '../../src/adapters/judge/direct.js';
import { createMemoryExchange } from '../../src/adapters/data-exchange/memory.js';
import { createMemoryFiles, type MemoryFiles } from '../../src/adapters/files/memory.js';
import { createMemoryDatabase } from '../../src/adapters/database/memory/memory.js';
import { createArmedFailpoint } from '../../src/adapters/failpoint/armed.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import { createPrometheusMetrics } from '../../src/adapters/metrics/prometheus.js';
import { createSystemRandom } from '../../src/adapters/random/system.js';
import { createMemoryStore } from '../../src/adapters/shared-store/memory.js';
import { createHttpWebhook, type HttpWebhookOptions } from '../../src/adapters/webhook/http.js';
import type { Profile } from '../../src/domain/network/profile.js';
import { recordedLimits } from '../../src/domain/network/network-rules.js';
import type { Certificate } from '../../src/http/server.js';
import type { Authentication } from '../../src/http/access/auth.js';
import { createNode } from '../../src/node/node.js';
import type { ExplorerFiles } from '../../src/node/ui.js';
import type { Database } from '../../src/ports/database.js';
import type { Judge } from '../../src/ports/judge.js';

import { memoryConnectors } from './connectors.js';
import { textOf } from '../../src/wire/json/json.js';

/** A real node behind HTTP, on memory adapters. */
export interface TestNode {
  readonly url: string;
  readonly ws: string;
  readonly database: Database;
  readonly files: MemoryFiles;
  /** A further key that the node holds; not registered. */
  readonly spareKey: string;
  /** Unrecoverable errors. */
  readonly fatal: readonly Error[];
}

export interface TestNetworkOptions {
  /** For every node. */
  readonly namespaces?: readonly string[];
  /** The authentication of each node; by default none. */
  readonly authenticationOf?: (organization: string) => Authentication | undefined;
  /** The certificate of every node, which then speaks HTTPS. */
  readonly certificate?: Certificate;
  /** The pages at `/ui`; without them the nodes report that they are not built. */
  readonly explorer?: ExplorerFiles;
  /** The supervisor's socket and the first node's service name. */
  readonly stackView?: { readonly socket: string; readonly service: string };
  /** Deviations from the webhook rules of a node on loopback. */
  readonly webhooks?: Partial<HttpWebhookOptions>;
  /** The judge of every node; by default in the same thread. */
  readonly judge?: Judge;
  /** Whether nodes serve FireFly's SPI. */
  readonly spi?: boolean;
  /** The network's limits; by default the current ones. */
  readonly limits?: Readonly<Record<string, number>>;
  /** The profile of the network, recorded with its limits; by default none. */
  readonly profile?: Profile | undefined;
}

export interface TestNetwork {
  readonly nodes: readonly TestNode[];
  readonly node: TestNode;
  readonly ledger: MemoryLedger;
  /** Stops the first node, runs `meanwhile`, and starts it again with its rows and port. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts nodes of these organisations on one memory ledger and store, each with a real HTTP server on its own port.
 * They use the system clock, because sockets and timers do.
 */
export async function startTestNetwork(
  organizations: readonly string[] = ['alice'],
  {
    namespaces = ['default'],
    authenticationOf,
    certificate,
    explorer,
    stackView,
    webhooks,
    judge,
    limits = recordedLimits,
    profile,
    spi = false,
  }: TestNetworkOptions = {},
): Promise<TestNetwork> {
  const clock = createSystemClock();
  const ledger = createMemoryLedger({
    clock,
    limits: textOf({ ...limits, ...(profile !== undefined && { profile }) }),
  });
  const sharedStore = createMemoryStore();
  const exchange = createMemoryExchange();
  const started = await Promise.all(
    organizations.map(async (organization, index) => {
      const key = `0x${(index + 1).toString(16).padStart(40, '0')}`;
      const spareKey = `0x${'5'.repeat(8)}${index.toString(16).padStart(32, '0')}`;
      const node = `${organization}-node`;
      const peer = { endpoint: `https://${node}`, publicKeyHash: (index + 1).toString(16).padStart(64, '0') };
      ledger.addMember({ organization, key, node, ...peer });
      const metrics = createPrometheusMetrics();
      const database = createMemoryDatabase();
      const fatal: Error[] = [];
      const files = createMemoryFiles();
      const host = '127.0.0.1';
      const start = (port: number) =>
        createNode({
          config: {
            organization,
            node,
            host,
            port,
            namespaces: [...namespaces],
            hosts: [],
            cors: { origins: [] },
            ...(stackView !== undefined && index === 0 && { stackView }),
            spi: { enabled: spi },
            ...(profile !== undefined && { profile }),
          },
          contract: { address: `0x${'c'.repeat(40)}`, firstBlock: 1 },
          ports: {
            database,
            blockchain: ledger.connect({ keys: [key, spareKey] }),
            sharedStore,
            dataExchange: exchange.connect(peer),
            files,
            webhook: createHttpWebhook({ allow: [], host, closed: () => [], ...webhooks }),
            codec: createEthersCodec(),
            judge: judge ?? createDirectJudge(),
            connectors: memoryConnectors(),
            clock,
            random: createSystemRandom(),
            log: createSilentLog(),
            metrics,
            failpoint: createArmedFailpoint(undefined),
          },
          wallet: { createKey: () => Promise.resolve(`0x${randomBytes(32).toString('hex')}`) },
          metricsText: () => metrics.text(),
          authentication: authenticationOf?.(organization),
          certificate: certificate && { first: certificate, follow: () => () => undefined },
          checksEvents: true,
          explorer,
          onFatal: (error) => fatal.push(error),
        });
      const running = await start(0);
      return {
        start,
        running,
        node: { url: running.url, ws: running.url.replace('http', 'ws'), database, files, spareKey, fatal },
      };
    }),
  );
  const nodes = started.map(({ node }) => node);
  const [node] = nodes;
  if (node === undefined) throw new Error('A network has at least one node');
  return {
    nodes,
    node,
    ledger,
    async restart(meanwhile) {
      const [first] = started;
      if (first === undefined) return;
      await first.running.stop();
      await meanwhile?.();
      first.running = await first.start(first.running.port);
    },
    async stop() {
      await Promise.all(started.map(({ running }) => running.stop()));
    },
  };
}

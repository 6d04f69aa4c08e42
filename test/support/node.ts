import { randomBytes } from 'node:crypto';
import { createMemoryLedger, type MemoryLedger } from '../../src/adapters/blockchain/memory.js';
import { createSystemClock } from '../../src/adapters/clock/system.js';
import { createEthersCodec } from '../../src/adapters/contract-codec/ethers.js';
import { createDirectJudge } from '../../src/adapters/judge/direct.js';
import { createMemoryExchange } from '../../src/adapters/data-exchange/memory.js';
import { createMemoryFiles, type MemoryFiles } from '../../src/adapters/files/memory.js';
import { createMemoryDatabase } from '../../src/adapters/database/memory.js';
import { createArmedFailpoint } from '../../src/adapters/failpoint/armed.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import { createPrometheusMetrics } from '../../src/adapters/metrics/prometheus.js';
import { createSystemRandom } from '../../src/adapters/random/system.js';
import { createMemoryStore } from '../../src/adapters/shared-store/memory.js';
import { createHttpWebhook, type HttpWebhookOptions } from '../../src/adapters/webhook/http.js';
import type { Authentication } from '../../src/http/auth.js';
import { createNode } from '../../src/node/node.js';
import type { ExplorerFiles } from '../../src/node/ui.js';
import type { Database } from '../../src/ports/database.js';
import type { Judge } from '../../src/ports/judge.js';

import { memoryConnectors } from './connectors.js';
import { textOf } from '../../src/wire/json.js';

/** A real node behind HTTP, on memory adapters. */
export interface TestNode {
  readonly url: string;
  readonly ws: string;
  readonly database: Database;
  /** Its disk beside the rows. */
  readonly files: MemoryFiles;
  /** Another key that it holds, for a custom identity; nobody has registered it. */
  readonly spareKey: string;
  /** What cannot be repaired ends here. */
  readonly fatal: readonly Error[];
}

export interface TestNetworkOptions {
  /** Of every node. */
  readonly namespaces?: readonly string[];
  /** Whom a node asks who he is, and how; without it nobody. */
  readonly authenticationOf?: (organization: string) => Authentication;
  /** The pages at `/ui`; without them the nodes say that they are not built. */
  readonly explorer?: ExplorerFiles;
  /** The socket and service name by which the first node asks its supervisor. */
  readonly stackView?: { readonly socket: string; readonly service: string };
  /** Rules of webhooks that are not those of a node on loopback with nothing beside it. */
  readonly webhooks?: Partial<HttpWebhookOptions>;
  /** Judges at every node; by default in the thread that asks. */
  readonly judge?: Judge;
  /** Whether nodes serve what FireFly has for services beside a node. */
  readonly spi?: boolean;
  /** The network was created with these; those of today unless given. */
  readonly limits?: Readonly<Record<string, number>>;
}

export interface TestNetwork {
  readonly nodes: readonly TestNode[];
  /** The first node. */
  readonly node: TestNode;
  readonly ledger: MemoryLedger;
  /** Ends the first node, lets something happen, and starts it again on its rows and its port. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Nodes of the organisations named, on one memory ledger and one memory store, each with its real HTTP server on a port
 * of its own. The system clock drives them, since sockets and timers do.
 */
export async function startTestNetwork(
  organizations: readonly string[] = ['alice'],
  {
    namespaces = ['default'],
    authenticationOf,
    explorer,
    stackView,
    webhooks,
    judge,
    limits,
    spi = false,
  }: TestNetworkOptions = {},
): Promise<TestNetwork> {
  const clock = createSystemClock();
  const ledger = createMemoryLedger({ clock, ...(limits !== undefined && { limits: textOf(limits) }) });
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
            ...{ organization, node, host, port, namespaces: [...namespaces], hosts: [], cors: { origins: [] } },
            ...(stackView !== undefined && index === 0 && { stackView }),
            spi: { enabled: spi },
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

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createArmedFailpoint } from '../adapters/failpoint/armed.js';
import { createEthereumBlockchain } from '../adapters/blockchain/ethereum.js';
import { feeLimitsOf } from '../adapters/blockchain/fees.js';
import { createSystemClock } from '../adapters/clock/system.js';
import { createEthersCodec } from '../adapters/contract-codec/ethers.js';
import { type HttpsExchange, openHttpsExchange } from '../adapters/data-exchange/https.js';
import { createDiskFiles } from '../adapters/files/disk.js';
import { createWorkerJudge } from '../adapters/judge/worker.js';
import { watchEventLoop } from '../adapters/metrics/event-loop.js';
import { createPrometheusMetrics } from '../adapters/metrics/prometheus.js';
import { createSystemRandom } from '../adapters/random/system.js';
import { createKuboStore } from '../adapters/shared-store/kubo.js';
import { systemNamespace } from '../domain/network/identity.js';
import { type Authentication, createAuthentication } from '../http/access/auth.js';
import { armedFailpoints } from '../http/config.js';
import { type Listener, openListener } from '../http/listener.js';
import { readPrivateFile } from '../http/private-file.js';
import { readAuthorization } from '../http/access/token.js';
import { createBus } from '../pipeline/bus.js';
import {
  createPipeline,
  type Pipeline,
  type PipelineOptions,
  type PipelinePorts,
  type WalletPorts,
} from '../pipeline/pipeline.js';
import { createThrottle } from '../pipeline/throttle.js';
import { createWaiting } from '../pipeline/wait.js';
import type { Blockchain } from '../ports/blockchain.js';
import type { Clock } from '../ports/clock.js';
import type { Peer } from '../ports/data-exchange.js';
import type { Log } from '../ports/log.js';
import type { Metrics } from '../ports/metrics.js';
import { createAccess } from './requests/access.js';
import { createBodyReader } from './requests/body.js';
import { contentTypesOf, createApi } from './api.js';
import { type NodeConfig, readVersion } from './config.js';
import { type LiveState, createCollections } from './lists/collections.js';
import { createConfirm } from './messages/confirm.js';
import { openConnectors } from './tokens/connectors.js';
import { rebuildIfAsked } from './chain/rebuild.js';
import { untilContracts } from './network/contracts-file.js';
import { readCredentials } from './requests/credentials.js';
import { openDatabase, problemOf } from './database.js';
import { createDescription, isDescription } from './network/description.js';
import { createContractPages, isContractPage } from './contracts/api.js';
import { disturbed } from './faults/disturbed.js';
import { createHandlers } from './handlers.js';
import { createHealth } from './health.js';
import { openWallet } from './identities/wallet.js';
import { createReading } from './lists/read.js';
import { readinessOf, untilCaughtUp } from './readiness.js';
import { defaultMinFreeBytes, requireRoom } from './room.js';
import { createSignerCheck } from './identities/signers.js';
import { createSpi } from './network/spi.js';
import { createStreams, type Streams } from './stream.js';
import { createFirehose } from './stream/firehose.js';
import { openCertificate, type RenewedCertificate } from './network/certificate.js';
import { createUploadReader } from './data/upload.js';
import { type ExplorerFiles, isExplorer, readExplorer } from './ui.js';
import { explorerOf } from './network/explorer.js';
import { openWebhook } from './events/webhook.js';

export interface NodeOptions {
  readonly config: NodeConfig;
  readonly log: Log;
  /** Aborted if the process is asked to stop before the node is ready. */
  readonly signal: AbortSignal;
  /** Called on an unrecoverable error; the process must end. */
  readonly onFatal: (error: Error) => void;
  /** Reports the progress of a long start to the parent process. */
  readonly tellProgress?: ((text: string) => void) | undefined;
}

/** A running node. */
export interface RunningNode {
  readonly port: number;
  readonly url: string;
  /** Refuses new writes (503), awaits running requests, closes sockets (1001), stops the parts in reverse order. */
  stop(): Promise<void>;
}

type OptionalConfig =
  | 'advertise'
  | 'trustedNetwork'
  | 'batch'
  | 'blobs'
  | 'explorers'
  | 'stack'
  | 'stackView'
  | 'laterParties'
  | 'profile'
  | 'spi';

export interface NodeParts {
  readonly config: Pick<NodeConfig, 'organization' | 'node' | 'host' | 'port' | 'namespaces' | 'hosts' | 'cors'> &
    Partial<Pick<NodeConfig, OptionalConfig>>;
  readonly contract: { readonly address: string; readonly firstBlock: number };
  readonly ports: PipelinePorts;
  /** This node's own registry entry. */
  readonly peer?: Peer;
  /** Without it the node creates no keys for custom identities. */
  readonly wallet?: WalletPorts | undefined;
  readonly metricsText: () => Promise<string>;
  /** The reason why the node cannot work now; undefined while it can. */
  readonly problem?: () => string | undefined;
  /** Undefined: the API uses plain HTTP. */
  readonly certificate?: RenewedCertificate | undefined;
  /** Undefined: no authentication, and the node listens on loopback only. */
  readonly authentication?: Authentication | undefined;
  /**
   * Whether messages are checked against their hashes before events embed them, because another program may have
   * changed stored data.
   */
  readonly checksEvents?: boolean | undefined;
  /** The pages at `/ui`; undefined if they were not built. */
  readonly explorer?: ExplorerFiles | undefined;
  readonly onFatal: (error: Error) => void;
}

const graceMs = 8_000;

/**
 * Starts a node on the real adapters; resolves when it serves and has read the chain to its head. It waits for database
 * and contracts concurrently, so that all processes of a stack can start at once.
 *
 * @throws Error if the database, the key or the port is not available
 */
export async function startNode({ config, log, signal, onFatal, tellProgress }: NodeOptions): Promise<RunningNode> {
  const clock = createSystemClock();
  const failpoints = armedFailpoints();
  if (failpoints !== undefined) log.warn('Failpoints are armed', { failpoints });
  const failpoint = createArmedFailpoint(failpoints);
  const metrics = createPrometheusMetrics();
  const random = createSystemRandom();
  const authentication =
    config.auth === undefined ? undefined : createAuthentication(await readCredentials(config.auth.file));
  const wallet = await openWallet(config, random, log);
  const file = join(config.dataDirectory, 'db.sqlite3');
  const files = createDiskFiles({ root: config.dataDirectory });
  const minFreeBytes = config.limits.minFreeDisk ?? defaultMinFreeBytes;
  await requireRoom({ files, file: 'db.sqlite3', minFreeBytes, log });
  const [database, exchange, contracts] = await Promise.all([
    openDatabase(config, { file, log, failpoint, metrics, onFatal, tellProgress }),
    openExchange(config, log, metrics),
    untilContracts(config, { clock, log, signal }),
  ]);
  const { address, block: firstBlock } = contracts.network;
  const blockchain = await openBlockchain(config, { address, firstBlock, wallet, log, clock });
  const rebuilding = { database, blockchain, firstBlock, log, failpoint, clock, random, signal, tellProgress };
  await rebuildIfAsked({ ...config, ...rebuilding });
  const store = createKuboStore({ ...config.store, authorization: await readAuthorization(config.store.tokenFile) });
  const outgoing = { dataExchange: exchange, sharedStore: store };
  const { dataExchange, sharedStore } = disturbed(config.faults?.file, outgoing, { own: exchange.own, clock, log });
  let apiPort = config.port;
  const webhook = openWebhook(config, () => ({ apiPort, peer: dataExchange.own.endpoint }), log);
  const translators = { codec: createEthersCodec(), connectors: openConnectors(config, contracts) };
  const judge = createWorkerJudge({ log });
  const environment = { judge, clock, random, log, metrics, failpoint };
  const ports = { database, blockchain, sharedStore, dataExchange, files, webhook, ...translators, ...environment };
  const contract = { address: address.toLowerCase(), firstBlock };
  const node = await createNode({
    config: { ...config, blobs: { minFreeBytes: 2 * minFreeBytes, ...config.blobs } },
    contract,
    ports,
    peer: dataExchange.own,
    wallet,
    metricsText: () => metrics.text(),
    problem: () => problemOf(database),
    checksEvents: database.mayBeEdited,
    authentication,
    certificate: config.tls && (await openCertificate(config.tls, log)),
    explorer: await readExplorer(),
    onFatal,
  });
  apiPort = node.port;
  const endWatch = watchEventLoop(metrics);
  await untilCaughtUp(node.isReady, clock, signal);
  return {
    ...node,
    async stop() {
      endWatch();
      await node.stop();
      await judge.close();
      await dataExchange.close();
      await files.close();
      await blockchain.close();
      await database.close();
    },
  };
}

/**
 * The composition root: connects pipeline, API, streams and listener over the given ports; every connection between
 * parts is made here.
 */
export async function createNode(
  parts: NodeParts,
): Promise<RunningNode & { readonly isReady: () => Promise<boolean> }> {
  const { config, contract, ports, authentication, metricsText, onFatal } = parts;
  const { database, clock, log } = ports;
  const namespaces = [...new Set([...config.namespaces, systemNamespace])];
  const bus = createBus();
  const fallback = fallbackOf(namespaces);
  const access = createAccess({ namespaces, fallback, authentication });
  const { resolverFor, maySign } = access;
  const pipeline = pipelineOf(parts, { bus, namespaces, maySign });
  const isReady = readinessOf(pipeline, ports);
  const streams = createStreams({ ...ports, bus, delivery: pipeline.delivery, resolverFor, fallback });
  const spi = { isEnabled: config.spi?.enabled ?? false };
  const firehose = createFirehose({ ...ports, ...spi, bus, access });
  const { eventLog } = pipeline;
  const waiting = createWaiting({ eventLog, bus, clock, log, onDefect: onFatal });
  const confirm = createConfirm({ database, waiting, bus });
  let isStopping = false;
  let url = config.advertise ?? '';
  const liveState = liveStateOf(pipeline, clock, () => url);
  const reading = createReading(createCollections(database, liveState));
  const forms = createUploadReader(pipeline.incoming);
  const longBodies = createThrottle(clock, { pauseRatio: longBodyPause });
  const readBody = createBodyReader(longBodies);
  const handlers = createHandlers({
    ...ports,
    ...config,
    bus,
    pipeline,
    reading,
    confirm,
    streams,
    access,
    contract,
    url: () => url,
  });
  const requireSigners = createSignerCheck({ database, access, own: pipeline.own });
  const { changed } = streams;
  const apiParts = { ...pipeline, ...config, handlers, reading, access, requireSigners, changed };
  const version = await readVersion();
  const listener = await openListener({
    host: config.host,
    port: config.port,
    rules: {
      hosts: config.hosts,
      origins: config.cors.origins,
      contentTypes: contentTypesOf,
      linkable: (path) => path === '/' || isExplorer(path) || isDescription(path) || isContractPage(path),
    },
    middleware: [
      createHealth({ isReady, problem: parts.problem ?? (() => undefined), metricsText, access }),
      explorerOf(parts, { version, access }),
      createDescription({ node: config.node, version, profile: config.profile, access }),
      createContractPages({ database, access, version, profile: config.profile }),
      createSpi(spi),
      createApi({ ...apiParts, readForm: forms.read, readBody, clock, isStopping: () => isStopping }),
    ],
    upgrade: (request, ...others) => (firehose.takes(request) ? firehose : streams).upgrade(request, ...others),
    authentication,
    certificate: parts.certificate?.first,
    trustedNetwork: config.trustedNetwork,
    log,
  });
  const endRenewal = parts.certificate?.follow(listener.renew);
  // The port is known once it listens.
  if (url === '') url = listener.url;
  await pipeline.start();
  return {
    port: listener.port,
    url: listener.url,
    isReady,
    async stop() {
      isStopping = true;
      endRenewal?.();
      longBodies.stop();
      await waiting.stop();
      pipeline.rulebook.stop();
      await stopAll(listener, [streams, firehose], pipeline);
    },
  };
}

/** Long enough for the other work of such a request, here and at the other nodes of a machine. */
const longBodyPause = 3;

function pipelineOf(
  parts: NodeParts,
  { namespaces, ...shared }: Pick<PipelineOptions, 'bus' | 'namespaces' | 'maySign'>,
): Pipeline {
  const { config, ports, peer, wallet, checksEvents, onFatal } = parts;
  const { organization, profile, blobs: blobLimits, batch: batching } = config;
  const own = { organization, profile, namespaces, peer, wallet };
  return createPipeline({ ...ports, ...own, ...shared, blobLimits, batching, checksEvents, onFatal });
}

/** Live state that is shown beside rows. */
function liveStateOf(pipeline: Pipeline, clock: Clock, url: () => string): LiveState {
  const { delivery, attemptsOf, webhooks, integrity } = pipeline;
  return { ...delivery, attemptsOf, deliveryOf: webhooks.statusOf, integrity, clock, url };
}

async function stopAll(
  listener: Listener,
  streams: readonly Pick<Streams, 'stop'>[],
  pipeline: Pipeline,
): Promise<void> {
  const closed = listener.close(graceMs);
  await Promise.all(streams.map((each) => each.stop()));
  await closed;
  await pipeline.stop();
}

/** The namespace of requests that name none. */
function fallbackOf(namespaces: readonly string[]): string {
  const [first = systemNamespace] = namespaces;
  return namespaces.includes('default') ? 'default' : first;
}

async function openBlockchain(
  { chain: { url, ws = url, tokenFile, confirmations, fees } }: NodeConfig,
  { address: contract, firstBlock, wallet: { privateKeys: keys }, log, clock }: ChainParts,
): Promise<Blockchain> {
  const authorization = await readAuthorization(tokenFile);
  // The stack's own chain has fixed fees.
  const external = fees !== undefined && { fees: feeLimitsOf(fees), isExternal: true };
  return createEthereumBlockchain({
    url: ws,
    authorization,
    contract,
    firstBlock,
    confirmations,
    keys,
    log,
    clock,
    ...external,
  });
}

interface ChainParts {
  readonly address: string;
  readonly firstBlock: number;
  readonly wallet: { readonly privateKeys: readonly string[] };
  readonly log: Log;
  readonly clock: Clock;
}

async function openExchange({ peer }: NodeConfig, log: Log, metrics: Metrics): Promise<HttpsExchange> {
  const key = await readPrivateFile(peer.keyFile);
  const certificate = await readFile(peer.certificateFile, 'utf8');
  const { host = '127.0.0.1', port, advertise, copy } = peer;
  return openHttpsExchange({ host, port, advertise, key, certificate, copy, log, metrics });
}

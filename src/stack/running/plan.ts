import { join } from 'node:path';
import type { Plan, ServiceSpec, Spec } from '../../supervisor/plan.js';
import type { Identity } from '../../supervisor/machine/identity.js';
import type { Genesis } from '../keys/accounts.js';
import { hasStackView } from '../ports/bind.js';
import { contained, type Containers } from '../engines/containers.js';
import type { PartySettings, StackSettings } from '../definition/definition.js';
import type { Guest } from '../members/guest.js';
import type { ExternalChain } from '../settings/chain-settings.js';
import { certificateFiles, operatorKeyOf, signingKeyFile } from '../keys/keys.js';
import { type Layout, nodeData, packageFile } from '../layout.js';
import { chainConfig, nodeConfig, peerEndpoint, storeConfig, urlOf, urlWithin } from './node-config.js';
import type { Ports } from '../ports/ports.js';
import { serviceTokenFile, tokenFile } from '../keys/tokens.js';

const limits = {
  readyTimeoutMs: 60_000,
  taskTimeoutMs: 60_000,
  /** On a chain that others run, or that mines at intervals, blocks may take minutes. */
  slowTaskTimeoutMs: 1_800_000,
  stopGraceMs: 10_000,
  health: { path: '/livez', intervalMs: 2_000, timeoutMs: 2_000, maxMisses: 3 },
  firstRestartDelayMs: 250,
  maxRestartDelayMs: 8_000,
};

export const taskNames = { contracts: 'contracts', smoke: 'smoke', pools: 'pools' } as const;

export interface PlanOptions {
  readonly genesis: Genesis;
  /** Addresses that the operator funds. */
  readonly fund: readonly string[];
  readonly smoke: boolean;
  /** Parties whose nodes the user runs. */
  readonly external?: readonly string[];
  /** A party joining the running network; its node starts once it is registered. */
  readonly joining?: string;
  /** The program of the chain's engine; undefined for the built-in one. */
  readonly engine?: string | undefined;
  /** The engine and images; undefined if no service runs in a container. */
  readonly containers?: Containers | undefined;
  /** Members whose nodes are on other machines. */
  readonly guests?: readonly Guest[];
  /** The owner process of a temporary stack. */
  readonly owner?: Identity | undefined;
  /** Whether tasks run in the network of the containers, too. */
  readonly tasksWithin?: boolean;
}

/**
 * Builds the plan of a stack's supervisor: chain and store, the contracts once the chain is healthy, the nodes, a
 * message that must be confirmed everywhere, and the pools of the definition. With known ports the nodes start at once
 * and wait for chain and contracts themselves, since most of their start is independent; with ports chosen by the
 * system they start once these are known.
 */
export function planOf(layout: Layout, settings: StackSettings, ports: Ports | undefined, options: PlanOptions): Plan {
  return {
    version: 1,
    stack: layout.id,
    name: settings.name,
    socket: layout.socket,
    ...(hasStackView(settings) && { view: { socket: layout.viewSocket } }),
    stateFile: layout.state,
    ...(options.owner && { lease: { owner: options.owner, directory: layout.directory } }),
    ...(options.external !== undefined && options.external.length > 0 && { external: [...options.external] }),
    logs: { directory: layout.logs, maxBytes: settings.logs.maxBytes, maxFiles: settings.logs.maxFiles },
    ...(options.containers !== undefined && { containers: options.containers.plan }),
    services: servicesOf(layout, settings, ports, options).map((spec) =>
      contained(spec, { layout, settings, ports, containers: options.containers }),
    ),
  };
}

function servicesOf(layout: Layout, settings: StackSettings, ports: Ports | undefined, options: PlanOptions): Spec[] {
  const { external } = settings.chain;
  const supervised = withoutParties(settings, options.external ?? []);
  return [
    ...(external === null ? [chainService(layout, settings, ports, options)] : []),
    ...(settings.store.external === null ? [storeService(layout, settings, ports)] : []),
    contractsTask(layout, settings, ports, options),
    ...supervised.parties.map((party) => nodeService(layout, settings, party, ports, options.joining === party.name)),
    smokeTask(layout, supervised, ports, options),
    ...(supervised.tokens.pools.length > 0 ? [poolsTask(layout, supervised, ports, options)] : []),
  ];
}

function chainService(
  layout: Layout,
  settings: StackSettings,
  ports: Ports | undefined,
  { genesis, engine }: PlanOptions,
): Spec {
  const config = { ...chainConfig(layout, settings, genesis, ports), ...(engine !== undefined && { anvil: engine }) };
  return service(settings, 'chain', 'chain', join(layout.run, 'chain.json'), config, []);
}

function storeService(layout: Layout, settings: StackSettings, ports: Ports | undefined): Spec {
  return service(settings, 'store', 'store', join(layout.run, 'store.json'), storeConfig(layout, settings, ports), []);
}

/** The settings without these parties, and without pools that need them, for tasks that call the running nodes. */
function withoutParties(settings: StackSettings, external: readonly string[]): StackSettings {
  const parties = settings.parties.filter(({ name }) => !external.includes(name));
  const pools = settings.tokens.pools.filter(
    ({ owner, balances }) => ![owner, ...balances.map(({ party }) => party)].some((name) => external.includes(name)),
  );
  return { ...settings, parties, tokens: { ...settings.tokens, pools } };
}

function service(
  settings: StackSettings,
  name: string,
  kind: 'chain' | 'store' | 'node',
  file: string,
  value: unknown,
  after: Spec['after'],
): ServiceSpec {
  return {
    type: 'service',
    name,
    kind,
    program: packageFile(`bin/${kind}.js`),
    arguments: [file],
    config: { file, value },
    after,
    health: limits.health,
    readyTimeoutMs: limits.readyTimeoutMs,
    restart: restartOf(settings),
    stopGraceMs: limits.stopGraceMs,
  };
}

function nodeService(
  layout: Layout,
  settings: StackSettings,
  party: PartySettings,
  ports: Ports | undefined,
  isJoining: boolean,
): Spec {
  const file = join(nodeData(layout, party.name), 'node.json');
  const condition = ports === undefined ? 'healthy' : 'started';
  const isExternal = settings.chain.external !== null;
  const after: Spec['after'] = [
    ...(isExternal ? [] : [{ name: 'chain', condition } as const]),
    ...(settings.store.external === null ? [{ name: 'store', condition } as const] : []),
    // On a chain that others run, contracts may take longer than a node waits; containers mount the contracts' file.
    ...(isJoining || isExternal || settings.docker !== null
      ? [{ name: taskNames.contracts, condition: 'completed' } as const]
      : []),
  ];
  const spec = service(settings, party.name, 'node', file, nodeConfig(layout, settings, party, ports), after);
  if (party.tls === undefined) return spec;
  return { ...spec, health: { ...spec.health, certificateFile: party.tls.certificateFile } };
}

function contractsTask(layout: Layout, settings: StackSettings, ports: Ports | undefined, options: PlanOptions): Spec {
  const { fund, guests = [] } = options;
  const { external } = settings.chain;
  const after = external === null ? [{ name: 'chain', condition: 'healthy' } as const] : [];
  return task(layout, settings, taskNames.contracts, after, false, {
    ...(external === null ? localTaskConfig(layout, settings, ports, options) : externalTaskConfig(layout, external)),
    operatorKeyFile: operatorKeyOf(layout, settings),
    contractsFile: layout.contracts,
    ...(settings.profile !== null && { profile: settings.profile }),
    connectors: settings.tokens.connectors,
    fund: external === null ? [...fund, ...guests.map(({ address }) => address)] : fund,
    ...(guests.length > 0 && { guests }),
    parties: settings.parties.map(({ name, organization, node }) => ({
      name,
      organization,
      node,
      keyFile: signingKeyFile(layout, name),
      certificateFile: certificateFiles(layout, name).certificateFile,
      endpoint: peerEndpoint(settings, name, ports),
    })),
  });
}

function localTaskConfig(layout: Layout, settings: StackSettings, ports: Ports | undefined, options: PlanOptions) {
  const chainTokenFile = serviceTokenFile(layout, settings, 'chain');
  const chainUrl = urlForTasks(settings, 'chain', ports?.chain, options);
  return { chainUrl, chainTokenFile, chainId: settings.chain.chainId };
}

function urlForTasks(
  settings: StackSettings,
  service: string,
  port: number | undefined,
  { tasksWithin = false }: PlanOptions,
): string {
  return tasksWithin ? urlWithin(settings, service, port) : urlOf(settings, service, port);
}

function externalTaskConfig(layout: Layout, chain: ExternalChain) {
  const { url, chainId, authFile, funder, contracts, confirmations, fees } = chain;
  return {
    chainUrl: url,
    ...(chainId !== null && { chainId }),
    external: {
      confirmations,
      fees,
      pendingFile: layout.pendingContracts,
      ...(authFile !== null && { authFile }),
      ...(funder !== null && { funderKeyFile: funder }),
      ...(contracts !== null && { contracts }),
    },
  };
}

function smokeTask(layout: Layout, settings: StackSettings, ports: Ports | undefined, options: PlanOptions): Spec {
  return task(layout, settings, taskNames.smoke, afterNodes(settings), !options.smoke, {
    markFile: layout.smoke,
    parties: callersOf(layout, settings, ports, options),
  });
}

function poolsTask(layout: Layout, settings: StackSettings, ports: Ports | undefined, options: PlanOptions): Spec {
  return task(layout, settings, taskNames.pools, afterNodes(settings), false, {
    namespace: settings.namespaces[0],
    parties: callersOf(layout, settings, ports, options),
    pools: settings.tokens.pools,
    // An exported network has no definition to compare with the record.
    ...(options.tasksWithin !== true && { recordFile: layout.pools }),
  });
}

function afterNodes(settings: StackSettings): Spec['after'] {
  const nodes = settings.parties.map(({ name }) => ({ name, condition: 'healthy' }) as const);
  return [{ name: taskNames.contracts, condition: 'completed' } as const, ...nodes];
}

/** The addresses and credentials with which a task calls the nodes. */
function callersOf(layout: Layout, settings: StackSettings, ports: Ports | undefined, options: PlanOptions) {
  return settings.parties.map(({ name, organization, tls }) => ({
    name,
    organization,
    url: urlForTasks(settings, name, ports?.parties[name], options),
    ...(tls && { certificateFile: tls.certificateFile }),
    ...(settings.auth.enabled && { tokenFile: tokenFile(layout, name) }),
  }));
}

function task(
  layout: Layout,
  settings: StackSettings,
  name: string,
  after: Spec['after'],
  onRequest: boolean,
  value: unknown,
): Spec {
  const file = join(layout.run, `${name}.json`);
  const isMinedAtOnce = settings.chain.external === null && settings.chain.mining === 'auto';
  const timeoutMs = isMinedAtOnce ? limits.taskTimeoutMs : limits.slowTaskTimeoutMs;
  return {
    type: 'task',
    name,
    kind: 'task',
    program: packageFile('bin/task.js'),
    arguments: [name, file],
    config: { file, value },
    after,
    onRequest,
    timeoutMs,
    restart: restartOf(settings),
    stopGraceMs: limits.stopGraceMs,
  };
}

function restartOf({ restart }: StackSettings): Spec['restart'] {
  return { ...restart, firstDelayMs: limits.firstRestartDelayMs, maxDelayMs: limits.maxRestartDelayMs };
}

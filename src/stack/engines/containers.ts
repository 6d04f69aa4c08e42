import { dirname } from 'node:path';
import type { ContainerPlan, ContainerSpec, Spec } from '../../supervisor/plan.js';
import { Plan } from '../../supervisor/plan.js';
import { authoritiesFile } from '../../supervisor/machine/environment.js';
import { exists } from '../../supervisor/machine/directory.js';
import { readJsonFile } from '../../supervisor/files/json-file.js';
import { makeDirectory } from '../../supervisor/files/private-file.js';
import { allowsFaults, hasOwnNetwork, publishedHosts } from '../ports/bind.js';
import type { PartySettings, StackSettings } from '../definition/definition.js';
import { type Engine, type EngineEnvironment, requireEngine } from './container-engine.js';
import { StackError } from '../error.js';
import { ensureImage } from './image.js';
import { programsInImage } from './image-files.js';
import { type Layout, nodeData } from '../layout.js';
import type { Ports } from '../ports/ports.js';
import { serviceTokenFile } from '../keys/tokens.js';
import { walletDirectory } from '../keys/wallet-files.js';

/** The engine and the images of a stack that is about to start. */
export interface Containers {
  readonly plan: ContainerPlan;
  /** uid:gid of the services. */
  readonly user: string;
  readonly imageOf: (service: string) => string;
  /** The program of a service in its image. */
  readonly programOf: (kind: string) => string;
  /** The file of further certificate authorities that nodes trust. */
  readonly authorities?: string | undefined;
}

function isContained({ docker }: Pick<StackSettings, 'docker'>, service: string): boolean {
  return docker !== null && (docker.services?.includes(service) ?? true);
}

/**
 * Finds the engine, and creates the images that the services of a stack need; undefined if none runs in a container.
 *
 * @throws StackError ENGINE_UNAVAILABLE, IMAGE_FAILED
 */
export async function prepareContainers(
  layout: Layout,
  settings: StackSettings,
  environment: EngineEnvironment,
): Promise<Containers | undefined> {
  const { docker, name, parties, chain } = settings;
  if (docker === null) return undefined;
  const engine = await requireEngine(environment);
  const hasChain = chain.external === null && isContained(settings, 'chain');
  const others = ['store', ...parties.map((party) => party.name)].some((each) => isContained(settings, each));
  const withChain = hasChain ? await imageFor(engine, docker.image, true) : '';
  const withoutChain = others ? await imageFor(engine, docker.image, false) : '';
  for (const party of parties) await makeDirectory(walletDirectory(layout, party.name));
  const prefix = `parley-${name}-${layout.id.slice(0, 6)}`;
  const authorities = authoritiesFile(environment);
  // The engine refuses to mount a missing file; Node only warns about one.
  const hasAuthorities = authorities !== undefined && (await exists(authorities).catch(() => false));
  return {
    plan: {
      engine: engine.address,
      prefix,
      network: hasOwnNetwork(settings) ? prefix : 'host',
      ...(engine.isPodman && engine.isRootless && { userNamespace: 'keep-id' }),
    },
    user: userOf(engine),
    imageOf: (service) => (service === 'chain' ? withChain : withoutChain),
    programOf: (kind) => `${programsInImage}/${kind}.js`,
    ...(hasAuthorities && { authorities }),
  };
}

/** The user in a container that this user is outside. */
function userOf({ isPodman, isRootless }: Engine): string {
  if (isRootless && !isPodman) return '0:0';
  return `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
}

async function imageFor(engine: Engine, given: string | null, hasChain: boolean): Promise<string> {
  if (given === null) return (await ensureImage(engine, hasChain)).id;
  const found = await engine.docker
    .getImage(given)
    .inspect()
    .catch((cause: unknown) => {
      throw new StackError('ENGINE_UNAVAILABLE', `docker.image: the engine has no image ${given}.`, {
        hint: `Fetch it: docker pull ${given}; or remove docker.image to use an image of this package.`,
        cause,
      });
    });
  return found.Id;
}

/** Adds the container to a service that is to run in one. */
export function contained(spec: Spec, { layout, settings, ports, containers }: ContainedParts): Spec {
  if (containers === undefined || spec.type === 'task' || !isContained(settings, spec.name)) return spec;
  const party = settings.parties.find(({ name }) => name === spec.name);
  const read =
    party === undefined
      ? readByService(layout, settings, spec)
      : [...readByNode(layout, settings, party), containers.authorities];
  const written =
    party === undefined
      ? [dataOf(layout, spec.name)]
      : [nodeData(layout, party.name), walletDirectory(layout, party.name)];
  const container: ContainerSpec = {
    image: containers.imageOf(spec.name),
    command: ['node', containers.programOf(spec.kind), ...spec.arguments],
    user: containers.user,
    mounts: [
      ...read.flatMap((path) => (path === undefined ? [] : [{ path, isReadOnly: true }])),
      ...written.map((path) => ({ path, isReadOnly: false })),
    ],
    ports: publishedPorts(settings, ports, spec.name),
  };
  return { ...spec, container };
}

interface ContainedParts {
  readonly layout: Layout;
  readonly settings: StackSettings;
  readonly ports: Ports | undefined;
  readonly containers: Containers | undefined;
}

function dataOf(layout: Layout, service: string): string {
  return service === 'chain' ? layout.chainData : layout.storeData;
}

function readByService(layout: Layout, settings: StackSettings, { name, config }: Spec): (string | undefined)[] {
  const service = name === 'chain' ? 'chain' : 'store';
  return [config.file, serviceTokenFile(layout, settings, service)];
}

function readByNode(
  layout: Layout,
  settings: StackSettings,
  { name, database, tls }: PartySettings,
): (string | undefined)[] {
  const { chain, store } = settings;
  return [
    dirname(walletDirectory(layout, name)),
    layout.contracts,
    chain.external === null ? serviceTokenFile(layout, settings, 'chain') : (chain.external.authFile ?? undefined),
    store.external === null ? serviceTokenFile(layout, settings, 'store') : (store.external.authFile ?? undefined),
    database?.urlFile,
    tls?.certificateFile,
    tls?.keyFile,
    // Directories, since a mounted file would remain the old one when it is replaced.
    allowsFaults(settings) ? layout.run : dirname(layout.laterParties),
  ];
}

/** Chain and store are published on loopback, unless the definition trusts the network. */
function publishedPorts(settings: StackSettings, ports: Ports | undefined, service: string): ContainerSpec['ports'] {
  const { bind, trustedNetwork, advertise } = settings;
  const on = (hosts: readonly string[], port: number | undefined) =>
    port === undefined ? [] : hosts.map((host) => ({ host, port }));
  if (service === 'chain' || service === 'store') {
    return on(publishedHosts({ bind: trustedNetwork ? bind : '127.0.0.1' }), ports?.[service]);
  }
  const peer = advertise === null ? [] : on(publishedHosts({ bind }), ports?.peers[service]);
  return [...on(publishedHosts({ bind }), ports?.parties[service]), ...peer];
}

/**
 * Removes the containers and networks that a stopped stack has left at its engine.
 *
 * @returns the objects that could not be removed
 */
export async function sweepContainers(
  { plan, id }: Pick<Layout, 'plan' | 'id'>,
  environment: EngineEnvironment,
): Promise<string[]> {
  // If the plan is unreadable, containers are found by their labels at the engine of this environment.
  const found = await readJsonFile(plan, Plan).catch(() => requireEngine(environment).catch(() => undefined));
  const address = found !== undefined && 'address' in found ? found.address : found?.containers?.engine;
  if (address === undefined) return [];
  const { openEngine, removeObjects } = await import('../../supervisor/engine.js');
  try {
    await removeObjects(openEngine(address), id);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`containers of the stack (their engine did not remove them: ${reason})`];
  }
}

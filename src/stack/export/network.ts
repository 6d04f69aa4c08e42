import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { exists } from '../../supervisor/machine/directory.js';
import type { Plan, ServiceSpec, TaskSpec } from '../../supervisor/plan.js';
import { readGuests } from '../members/admit.js';
import { deriveAccounts, fixGenesis, laterAddresses } from '../keys/accounts.js';
import type { ExternalChain } from '../settings/chain-settings.js';
import type { PartySettings, StackSettings } from '../definition/definition.js';
import { dockerProblems } from '../settings/docker-settings.js';
import { StackError } from '../error.js';
import { databaseServers, postgresParties } from '../engines/external-database.js';
import { requireBindable } from '../ports/bind.js';
import { imageName } from '../engines/image.js';
import { checkKeys, operatorKeyFile } from '../keys/keys.js';
import { checkTls } from '../keys/tls-files.js';
import { type Layout, layoutOf } from '../layout.js';
import type { Stack } from '../places/locate.js';
import { ownVersion } from '../upgrade/own-version.js';
import { planOf } from '../running/plan.js';
import { portsFrom, type Ports, readPorts } from '../ports/ports.js';
import { findSupervisor } from '../cleaning/stale.js';
import { requireOwnForm } from '../upgrade/state-form.js';
import { secretFilesOf, type SecretFile } from './secrets.js';

export interface ExportOptions {
  /** Whether to include the history; default: only if the network cannot begin without it. */
  readonly data?: boolean | undefined;
  /** The name or address by which other machines will reach the network; null = none. */
  readonly advertise?: string | null | undefined;
}

/** A network as it runs elsewhere: everything that a description of its containers needs. */
export interface ExportedNetwork {
  readonly name: string;
  readonly image: string;
  readonly settings: StackSettings;
  readonly ports: Ports;
  /** The paths in the containers. */
  readonly inside: Layout;
  readonly services: readonly ServiceSpec[];
  readonly tasks: readonly TaskSpec[];
  readonly secrets: readonly SecretFile[];
  readonly hasData: boolean;
}

/** The directory of the network in the containers. */
export const root = '/parley';
/** The port of the chain if the system chooses the stack's ports. */
const firstPort = 16_000;

/**
 * Describes the network of a stack for containers elsewhere. Members, keys, chain id, genesis and contracts are the
 * same. Without data its history starts empty, and its nodes refuse those of the original, as copies do.
 *
 * @throws StackError EXPORT_REFUSED for a network that cannot be elsewhere; NOT_RUNNING before the first start;
 * STATE_INVALID for a history that still grows; BIND_REFUSED; KEY_INVALID, KEY_NOT_PRIVATE
 */
export async function exportNetwork(stack: Stack, options: ExportOptions): Promise<ExportedNetwork> {
  const { layout, place, name } = stack;
  requireMovable(stack.settings);
  if (!(await exists(layout.contracts))) {
    throw new StackError('NOT_RUNNING', `${name} has no network before its first start.`, {
      hint: 'Start it: stack start',
    });
  }
  const hasData = decideData(stack.settings, options.data);
  await checkKeys(layout, stack.settings);
  const inside = insideOf(layoutOf(root, place));
  const settings = settingsWithin(stack, inside, { ...options, hasData });
  requireBindable(settings, { flag: '--advertise' });
  await checkTls({ ...stack.settings, advertise: settings.advertise });
  await requireReachable(stack.settings, settings);
  if (hasData) await requireStill(stack);
  const parties = settings.parties.map((party) => party.name);
  const ports = (await readPorts(layout)) ?? portsFrom(firstPort, parties);
  const accounts = await deriveAccounts(layout, stack.settings);
  const genesis = await fixGenesis(layout, stack.settings, accounts);
  const fund = settings.chain.external === null ? laterAddresses(accounts, genesis) : [];
  const guests = hasData ? await readGuests(layout) : [];
  const plan = planOf(inside, settings, ports, { genesis, fund, smoke: false, guests, tasksWithin: true });
  return {
    name,
    image: await imageOf(stack.settings),
    settings,
    ports,
    inside,
    hasData,
    ...partsOf(plan),
    secrets: await secretFilesOf(layout, stack.settings),
  };
}

function insideOf(layout: Layout): Layout {
  // A job writes them, so they have a separate folder.
  const ofContracts = (file: string) => join(root, 'network', file);
  return {
    ...layout,
    contracts: ofContracts('contracts.json'),
    pendingContracts: ofContracts('contracts.pending.json'),
  };
}

function partsOf({ services }: Plan) {
  const isTask = (spec: Plan['services'][number]): spec is TaskSpec => spec.type === 'task';
  const isService = (spec: Plan['services'][number]): spec is ServiceSpec => spec.type === 'service';
  return {
    services: services.filter(isService).map(withAnyForm),
    tasks: services.filter(isTask).filter(({ onRequest }) => !onRequest),
  };
}

/** An exported node migrates its database when it gets a newer image, since no command upgrades it there. */
function withAnyForm(spec: ServiceSpec): ServiceSpec {
  const { value } = spec.config;
  if (!(value instanceof Object)) return spec;
  const members = Object.entries(value).filter(([name]) => name !== 'databaseForm');
  return { ...spec, config: { ...spec.config, value: Object.fromEntries(members) } };
}

async function imageOf({ docker, chain }: StackSettings): Promise<string> {
  const given = docker?.image ?? null;
  if (given !== null) return given;
  // On other systems, the image is built with the Dockerfile of the repository.
  if (process.platform !== 'linux') return `parley:${await ownVersion()}`;
  return imageName(chain.external === null);
}

/** Whether chain or databases stay in use after the export, which nodes without their history would contradict. */
function isBound(settings: StackSettings): boolean {
  return settings.chain.external !== null || postgresParties(settings).length > 0;
}

function decideData(settings: StackSettings, requested: boolean | undefined): boolean {
  const hasData = requested ?? isBound(settings);
  if (hasData || !isBound(settings)) return hasData;
  const setting = settings.chain.external === null ? 'database.provider is postgres' : 'chain.provider is url';
  throw new StackError(
    'EXPORT_REFUSED',
    `${setting}, which the export continues to use, so its nodes need their history.`,
    {
      hint: 'Leave out --no-data.',
    },
  );
}

function requireMovable({ chain }: StackSettings): void {
  if (chain.engine === 'hardhat') return;
  throw new StackError(
    'EXPORT_REFUSED',
    `chain.provider is ${chain.engine}, a program of this machine that no image contains.`,
  );
}

/** Refuses a running stack: nothing may be written while its history is copied, and only one copy may continue. */
async function requireStill(stack: Stack): Promise<void> {
  await requireOwnForm(stack, { mayBeOlder: false });
  if ((await findSupervisor(stack)) === undefined) return;
  throw new StackError('STATE_INVALID', `${stack.name} is running, so its history still grows.`, {
    hint: `Stop it: stack stop ${stack.name}. After the export, start only one of the two.`,
  });
}

/** Refuses loopback addresses, which in a container mean the container itself. */
async function requireReachable(own: StackSettings, within: StackSettings): Promise<void> {
  const others = { ...within, ports: { base: firstPort }, bind: '127.0.0.1' };
  const [problem] = dockerProblems({ runtime: 'docker' }, others);
  if (problem !== undefined) throw new StackError('EXPORT_REFUSED', problem.message);
  const near = (await databaseServers(own)).find(({ host }) => /^(?:localhost|127\.|::1$|\/)/.test(host));
  if (near === undefined) return;
  throw new StackError(
    'EXPORT_REFUSED',
    `database.url: in a container, ${near.host} is the container itself: name a host that containers reach.`,
  );
}

/** The settings of the network in containers that call each other by the names of their services. */
function settingsWithin(
  { settings, layout }: Stack,
  inside: Layout,
  { advertise, hasData }: ExportOptions & { readonly hasData: boolean },
): StackSettings {
  const { chain, store, parties } = settings;
  const known = advertise === undefined ? settings.advertise : advertise;
  return {
    ...settings,
    docker: { services: null, image: null },
    advertise: known,
    // Containers listen on every address of their network; `bind` decides where their ports are published.
    bind: known ?? '127.0.0.1',
    hosts: [...settings.hosts, ...parties.map((party) => party.name)],
    copy: hasData ? settings.copy : copyMark(layout, settings),
    parties: parties.map((party) => partyWithin(inside, party)),
    chain: { ...chain, external: chain.external && chainWithin(inside, chain.external) },
    store: {
      ...store,
      external: store.external && {
        ...store.external,
        authFile: store.external.authFile && join(inside.keys, 'store', 'auth'),
      },
    },
  };
}

/** The same at every export, so that a later export fits the running network. */
function copyMark({ id }: Layout, { copy }: StackSettings): string {
  return createHash('sha256').update(`export ${id} ${copy}`).digest('hex').slice(0, 16);
}

function partyWithin(inside: Layout, party: PartySettings): PartySettings {
  const { database, tls } = party;
  const secret = (name: string) => join(inside.keys, party.name, name);
  return {
    ...party,
    ...(database && { database: { ...database, urlFile: secret('database.url') } }),
    ...(tls && { tls: { certificateFile: secret('tls.crt'), keyFile: secret('tls.key') } }),
  };
}

function chainWithin(inside: Layout, chain: ExternalChain): ExternalChain {
  const { operatorKey, funder, authFile } = chain;
  return {
    ...chain,
    operatorKey: operatorKey && operatorKeyFile(inside),
    funder: funder && join(inside.keys, 'chain', 'funder'),
    authFile: authFile && join(inside.keys, 'chain', 'auth'),
  };
}

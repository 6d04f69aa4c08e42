import { type Static, Type } from '@sinclair/typebox';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import { StackError } from '../error.js';
import type { Layout, Place } from '../layout.js';
import type { StackSettings } from '../definition/definition.js';
import { claimPort, isClaimed, type PortClaims } from './claims.js';
import { isFree } from './free-port.js';
import { portHint, portInUse } from './port-owner.js';
import { changeRegistry, type Registry } from '../places/registry.js';

const PortsFile = Type.Object({
  base: Type.Integer(),
  /** The first port of the nodes' APIs, if they are not after `base`. */
  nodes: Type.Optional(Type.Integer()),
  chain: Type.Integer(),
  store: Type.Integer(),
  parties: Type.Record(Type.String(), Type.Integer()),
  /** Absent in files from versions without peer listeners. */
  peers: Type.Optional(Type.Record(Type.String(), Type.Integer())),
});
/** The port of each service of a stack; a party has one for its API and one for its peers. */
export type Ports = Static<typeof PortsFile> & { readonly peers: Record<string, number> };

const firstPort = 16_000;
const slotSize = 100;
const maxSlots = 167;
const firstNode = 10;
const firstPeer = 50;

export interface PortRequest {
  readonly place: Place;
  readonly layout: Layout;
  /** The name in the registry. */
  readonly name: string;
  readonly settings: StackSettings;
  /** Choose new ports even if some are assigned. */
  readonly reassign: boolean;
  /** Parties whose nodes may be listening already. */
  readonly external?: readonly string[];
  /** Claims the block until the services listen there; absent for ports of a later start. */
  readonly claims?: PortClaims;
}

/**
 * Assigns the ports of a stack that is about to start, each of them free: the previous ones or, at its first start,
 * those of its definition, else a block of a hundred that no other stack of this user has, and no start of another user
 * or home has claimed. With `reassign` it chooses others: those of the definition if they are new and free, else
 * another block. Undefined if the system chooses at each start.
 *
 * @throws StackError PORT_IN_USE, naming the service and, if known, the process that has the port
 */
export async function assignPorts(request: PortRequest): Promise<Ports | undefined> {
  const { layout, settings, reassign } = request;
  if (settings.ports.base === 'os') return undefined;
  const known = await readPorts(layout);
  const names = settings.parties.map(({ name }) => name);
  if (!reassign && known !== undefined) {
    const ports = withParties(known, names);
    if (!(await claim(ports, request.claims))) throw await claimedByOther(ports, request.name);
    await requireFree(ports, { name: request.name, bind: request.settings.bind }, request.external);
    await writeJsonFile(layout.ports, ports);
    return ports;
  }
  return choosePorts(request, names, reassign ? known : undefined);
}

/**
 * Checks that the ports which a start would take are free, without taking them. Ports that the start would choose are
 * not checked.
 *
 * @throws StackError PORT_IN_USE
 */
export async function checkPorts(
  layout: Layout,
  settings: StackSettings,
  external: readonly string[] = [],
): Promise<void> {
  const { base, nodes } = settings.ports;
  if (base === 'os') return;
  const known = await readPorts(layout);
  const names = settings.parties.map(({ name }) => name);
  if (known !== undefined) await requireFree(withParties(known, names), settings, external);
  else if (base !== 'auto') await requireFree(portsFrom(base, names, nodes), settings, external);
}

/** The port of a new party's API, as the user has chosen it. */
export interface ChosenPort {
  readonly party: string;
  readonly port: number;
}

/** Assigns the ports that `nextPorts` finds. @throws StackError PORT_IN_USE */
export async function addPorts(
  layout: Layout,
  settings: StackSettings,
  chosen?: ChosenPort,
): Promise<Ports | undefined> {
  const ports = await nextPorts(layout, settings, chosen);
  if (ports !== undefined) await writeJsonFile(layout.ports, ports);
  return ports;
}

/**
 * Finds ports for parties without one, while the others' may be in use: the next ones, or for the API of
 * `chosen.party` the given one. Undefined if the system chooses all ports, or nothing was started yet.
 *
 * @throws StackError PORT_IN_USE
 */
export async function nextPorts(
  layout: Layout,
  settings: StackSettings,
  chosen?: ChosenPort,
): Promise<Ports | undefined> {
  const known = settings.ports.base === 'os' ? undefined : await readPorts(layout);
  if (known === undefined) return undefined;
  const names = settings.parties.map(({ name }) => name);
  const grown = withParties(known, names);
  const isNew = chosen !== undefined && known.parties[chosen.party] === undefined;
  const ports = isNew ? { ...grown, parties: { ...grown.parties, [chosen.party]: chosen.port } } : grown;
  await requireFree(ports, settings, ['chain', 'store', ...Object.keys(known.parties)]);
  return ports;
}

/** The ports of a stack at its last start; undefined before its first start. */
export async function readPorts(layout: Layout): Promise<Ports | undefined> {
  const file = await readJsonFile(layout.ports, PortsFile);
  return file && { ...file, peers: file.peers ?? portsFrom(file.base, Object.keys(file.parties)).peers };
}

interface Choice {
  readonly ports: Ports;
  /** Number of the block; undefined if the definition sets the first port. */
  readonly slot: number | undefined;
}

async function choosePorts(request: PortRequest, parties: string[], former: Ports | undefined): Promise<Ports> {
  const { place, layout, name } = request;
  let chosen: Ports | undefined;
  await changeRegistry(place, async (registry) => {
    const choice =
      (await definedChoice(request, parties, former)) ?? (await freeChoice(registry, request, parties, former));
    chosen = choice.ports;
    await writeJsonFile(layout.ports, chosen);
    return ownedBy(registry, name, choice.slot);
  });
  if (chosen === undefined) throw new Error('The registry was changed without choosing ports.');
  return chosen;
}

/** The ports of the definition; undefined if it sets none, or if `reassign` asks for others. */
async function definedChoice(
  { name, settings, reassign, claims }: PortRequest,
  parties: readonly string[],
  former: Ports | undefined,
): Promise<Choice | undefined> {
  const { base, nodes } = settings.ports;
  const { bind } = settings;
  if (typeof base !== 'number' || (base === former?.base && nodes === former.nodes)) return undefined;
  const ports = portsFrom(base, parties, nodes);
  if (!(await claim(ports, claims))) {
    if (reassign) return undefined;
    throw await claimedByOther(ports, name);
  }
  if (!reassign) await requireFree(ports, { name, bind });
  else if ((await usedPorts(ports, bind)).length > 0) {
    await claims?.drop(base);
    return undefined;
  }
  return { ports, slot: undefined };
}

/**
 * Claims ports that are already decided. Returns false if another start has claimed them. If an unrelated program uses
 * the last port of the block, there is no claim, and the ports may be used nevertheless.
 */
async function claim(ports: Ports, claims: PortClaims | undefined): Promise<boolean> {
  const isService = servicesIn(ports).some(([, port]) => port === ports.base + claimPort);
  if (isService || claims === undefined || (await claims.take(ports.base))) return true;
  return !(await isClaimed(ports.base));
}

function claimedByOther({ base }: Ports, stack: string): Promise<StackError> {
  const claimed = { port: base + claimPort, service: 'start' };
  return portInUse(`ports.base: the block from ${base}, which another start has chosen,`, claimed, portHint(stack));
}

/** The first block that no other stack owns and whose ports are all free. */
async function freeChoice(
  registry: Registry,
  { name, settings, claims }: PortRequest,
  parties: readonly string[],
  former: Ports | undefined,
): Promise<Choice> {
  const others = Object.entries(registry).filter(([other]) => other !== name);
  const taken = new Set(others.map(([, entry]) => entry.slot));
  for (let slot = 0; slot < maxSlots; slot++) {
    const ports = portsFrom(firstPort + slotSize * slot, parties);
    if (taken.has(slot) || ports.base === former?.base) continue;
    // Claimed before it is checked, so that of two simultaneous starts one sees the other.
    if (claims !== undefined && !(await claims.take(ports.base))) continue;
    if ((await usedPorts(ports, settings.bind)).length === 0) return { ports, slot };
    await claims?.drop(ports.base);
  }
  throw new StackError('PORT_IN_USE', `No block of 100 ports between ${firstPort} and 32700 is free.`, {
    hint: 'Remove a stack that you no longer need: stack list, stack remove NAME.',
  });
}

/** The registry with a stack's new block; undefined if it has no entry. */
function ownedBy(registry: Registry, name: string, slot: number | undefined): Registry | undefined {
  const known = registry[name];
  if (known === undefined) return undefined;
  const { slot: _, ...entry } = known;
  return { ...registry, [name]: slot === undefined ? entry : { ...entry, slot } };
}

/** The same ports extended for parties without one: after all existing ones, so that none changes. */
function withParties(known: Ports, names: readonly string[]): Ports {
  const fresh = names.filter((name) => known.parties[name] === undefined);
  // The port of an API may have been chosen freely; those for peers are always in sequence.
  const next = Math.max(-1, ...Object.values(known.peers).map((port) => port - known.base - firstPeer)) + 1;
  const from = (first: number): Record<string, number> =>
    Object.fromEntries(fresh.map((name, index) => [name, first + next + index]));
  return {
    ...known,
    parties: { ...known.parties, ...from(known.nodes ?? known.base + firstNode) },
    peers: { ...known.peers, ...from(known.base + firstPeer) },
  };
}

/** The ports of a stack that begins at `base`, the APIs of its nodes at `nodes` if given. */
export function portsFrom(base: number, parties: readonly string[], nodes?: number): Ports {
  const from = (first: number): Record<string, number> =>
    Object.fromEntries(parties.map((party, index) => [party, first + index]));
  return {
    base,
    ...(nodes !== undefined && { nodes }),
    chain: base,
    store: base + 1,
    parties: from(nodes ?? base + firstNode),
    peers: from(base + firstPeer),
  };
}

/**
 * Checks that a port for a new party is used neither by another service of the stack nor by another program.
 *
 * @throws StackError PORT_IN_USE; BIND_REFUSED if the system chooses all ports
 */
export async function requireNewPort(layout: Layout, { ports, bind }: StackSettings, port: number): Promise<void> {
  if (ports.base === 'os') {
    throw new StackError('BIND_REFUSED', 'The system chooses the ports of this stack (ports.base: os).', {
      hint: 'Leave out --port.',
    });
  }
  const known = await readPorts(layout);
  const own = known === undefined ? [] : servicesIn(known);
  const [service] = own.find(([, each]) => each === port) ?? [];
  if (service !== undefined) {
    throw new StackError('PORT_IN_USE', `${port} belongs to ${service}.`, { details: { port, service } });
  }
  if (!(await isFree(port, bind))) {
    throw await portInUse(`${port} (--port)`, { port, service: '--port' }, 'Free it, or name another with --port.');
  }
}

async function requireFree(
  ports: Ports,
  stack: Pick<StackSettings, 'name' | 'bind'>,
  except: readonly string[] = [],
): Promise<void> {
  const [used] = (await usedPorts(ports, stack.bind)).filter(([service]) => !except.includes(service));
  if (used === undefined) return;
  const [service, port] = used;
  throw await portInUse(`ports.base: ${port} (${service})`, { port, service }, portHint(stack.name));
}

function servicesIn(ports: Ports): (readonly [service: string, port: number])[] {
  const own = [['chain', ports.chain] as const, ['store', ports.store] as const];
  return [...own, ...Object.entries(ports.parties), ...Object.entries(ports.peers)];
}

async function usedPorts(ports: Ports, bind: string): Promise<(readonly [service: string, port: number])[]> {
  const all = servicesIn(ports);
  const free = await Promise.all(all.map(async ([, port]) => isFree(port, bind)));
  return all.filter((_, index) => free[index] === false);
}

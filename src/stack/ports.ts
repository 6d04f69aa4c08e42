import { createServer } from 'node:net';
import { type Static, Type } from '@sinclair/typebox';
import { isErrno, readJsonFile, writeJsonFile } from '../supervisor/json-file.js';
import { StackError } from './error.js';
import type { Layout, Place } from './layout.js';
import type { StackSettings } from './definition.js';
import { findPortOwner } from './port-owner.js';
import { changeRegistry, type Registry } from './registry.js';

const PortsFile = Type.Object({
  base: Type.Integer(),
  chain: Type.Integer(),
  store: Type.Integer(),
  parties: Type.Record(Type.String(), Type.Integer()),
  /** Absent in files from before nodes listened for one another. */
  peers: Type.Optional(Type.Record(Type.String(), Type.Integer())),
});
/** Which port each service of a stack has; of a party, that of its API and that for its peers. */
export type Ports = Required<Static<typeof PortsFile>>;

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
  /** Choose new ones although there are some. */
  readonly reassign: boolean;
  /** Parties whose nodes may listen already. */
  readonly external?: readonly string[];
}

/**
 * The ports of a stack that is about to start, each of them free: those it had before or, at its first start, those
 * that its definition names, else a hundred that no other stack of this user has (cli, section 16). Who asks for others
 * gets others: those of the definition where they are new and free, else another hundred. Undefined when the system is
 * to choose at each start.
 *
 * @throws StackError PORT_IN_USE, naming the service and, where it can be read, the process that has the port
 */
export async function assignPorts(request: PortRequest): Promise<Ports | undefined> {
  const { layout, settings, reassign } = request;
  if (settings.ports.base === 'os') return undefined;
  const known = await readPorts(layout);
  const names = settings.parties.map(({ name }) => name);
  if (!reassign && known !== undefined) {
    const ports = withParties(known, names);
    await requireFree(ports, request.external);
    await writeJsonFile(layout.ports, ports);
    return ports;
  }
  return choosePorts(request, names, reassign ? known : undefined);
}

/** The ports that a stack had when it was started last; undefined before its first start. */
export async function readPorts(layout: Layout): Promise<Ports | undefined> {
  const file = await readJsonFile(layout.ports, PortsFile);
  return file && { ...file, peers: file.peers ?? portsFrom(file.base, Object.keys(file.parties)).peers };
}

interface Choice {
  readonly ports: Ports;
  /** Which hundred it is; undefined where the definition says where the ports begin. */
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

/** Those that the definition names; undefined where it names none, or has no others than the stack is to be rid of. */
async function definedChoice(
  { settings, reassign }: PortRequest,
  parties: readonly string[],
  former: Ports | undefined,
): Promise<Choice | undefined> {
  const { base } = settings.ports;
  if (typeof base !== 'number' || base === former?.base) return undefined;
  const ports = portsFrom(base, parties);
  if (!reassign) await requireFree(ports);
  else if ((await usedPorts(ports)).length > 0) return undefined;
  return { ports, slot: undefined };
}

/** The first hundred that no other stack owns and of which no port is used. */
async function freeChoice(
  registry: Registry,
  { name }: PortRequest,
  parties: readonly string[],
  former: Ports | undefined,
): Promise<Choice> {
  const others = Object.entries(registry).filter(([other]) => other !== name);
  const taken = new Set(others.map(([, entry]) => entry.slot));
  for (let slot = 0; slot < maxSlots; slot++) {
    const ports = portsFrom(firstPort + slotSize * slot, parties);
    if (taken.has(slot) || ports.base === former?.base) continue;
    if ((await usedPorts(ports)).length === 0) return { ports, slot };
  }
  throw new StackError('PORT_IN_USE', `No hundred of ports between ${firstPort} and 32700 is free.`, {
    hint: 'Remove a stack that you no longer need: stack list, stack remove NAME.',
  });
}

/** The registry with what a stack owns now; undefined where it is not in there. */
function ownedBy(registry: Registry, name: string, slot: number | undefined): Registry | undefined {
  const known = registry[name];
  if (known === undefined) return undefined;
  const { slot: _, ...entry } = known;
  return { ...registry, [name]: slot === undefined ? entry : { ...entry, slot } };
}

/** The same ports with some for parties that have none yet: behind all that there are, so that nobody's change. */
function withParties(known: Ports, names: readonly string[]): Ports {
  const fresh = names.filter((name) => known.parties[name] === undefined);
  const next = Math.max(-1, ...Object.values(known.parties).map((port) => port - known.base - firstNode)) + 1;
  const from = (first: number): Record<string, number> =>
    Object.fromEntries(fresh.map((name, index) => [name, known.base + first + next + index]));
  return {
    ...known,
    parties: { ...known.parties, ...from(firstNode) },
    peers: { ...known.peers, ...from(firstPeer) },
  };
}

/** The ports of a stack that begins at `base` (cli, section 16). */
export function portsFrom(base: number, parties: readonly string[]): Ports {
  const from = (first: number): Record<string, number> =>
    Object.fromEntries(parties.map((party, index) => [party, base + first + index]));
  return { base, chain: base, store: base + 1, parties: from(firstNode), peers: from(firstPeer) };
}

async function requireFree(ports: Ports, except: readonly string[] = []): Promise<void> {
  const [used] = (await usedPorts(ports)).filter(([service]) => !except.includes(service));
  if (used === undefined) return;
  const [service, port] = used;
  const owner = await findPortOwner(port);
  const by = owner === undefined ? 'another process' : `pid ${owner.pid} ${owner.command}`;
  throw new StackError('PORT_IN_USE', `${port} (${service}) is used by ${by}.`, {
    hint: 'Free it, or: stack start --reassign-ports',
    details: { port, service, ...owner },
  });
}

async function usedPorts(ports: Ports): Promise<(readonly [service: string, port: number])[]> {
  const all = [
    ['chain', ports.chain] as const,
    ['store', ports.store] as const,
    ...Object.entries(ports.parties),
    ...Object.entries(ports.peers),
  ];
  const free = await Promise.all(all.map(async ([, port]) => isFree(port)));
  return all.filter((_, index) => free[index] === false);
}

/** Whether a port can be bound on both loopback addresses; only binding tells. */
export async function isFree(port: number): Promise<boolean> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((host) => canBind(host, port)));
  return answers.every(Boolean);
}

function canBind(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (isErrno(error, 'EADDRINUSE', 'EACCES')) resolve(false);
      // A machine without IPv6 has nobody on its ports either.
      else if (isErrno(error, 'EADDRNOTAVAIL', 'EAFNOSUPPORT')) resolve(true);
      else reject(error);
    });
    server.listen({ host, port, exclusive: true }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}

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
}

/**
 * The ports of a stack that is about to start, each of them free: those it had before or, at its first start, a hundred
 * that no other stack of this user has (cli, section 16). Undefined when the system is to choose at each start.
 *
 * @throws StackError PORT_IN_USE, naming the service and, where it can be read, the process that has the port
 */
export async function assignPorts(request: PortRequest): Promise<Ports | undefined> {
  const { layout, settings, reassign } = request;
  if (settings.ports.base === 'os') return undefined;
  const known = reassign ? undefined : await readPorts(layout);
  const names = settings.parties.map(({ name }) => name);
  if (known !== undefined && names.every((name) => known.parties[name] !== undefined)) {
    await requireFree(known);
    await writeJsonFile(layout.ports, known);
    return known;
  }
  return choosePorts(request, names);
}

/** The ports that a stack had when it was started last; undefined before its first start. */
export async function readPorts(layout: Layout): Promise<Ports | undefined> {
  const file = await readJsonFile(layout.ports, PortsFile);
  return file && { ...file, peers: file.peers ?? portsFrom(file.base, Object.keys(file.parties)).peers };
}

async function choosePorts({ place, layout, name, settings }: PortRequest, parties: string[]): Promise<Ports> {
  let chosen: Ports | undefined;
  await changeRegistry(place, async (registry) => {
    const { base } = settings.ports;
    if (typeof base === 'number') {
      chosen = portsFrom(base, parties);
      await requireFree(chosen);
      await writeJsonFile(layout.ports, chosen);
      return undefined;
    }
    const slot = await findSlot(registry, name, parties);
    chosen = portsFrom(firstPort + slotSize * slot, parties);
    await writeJsonFile(layout.ports, chosen);
    const entry = registry[name];
    return entry === undefined ? undefined : { ...registry, [name]: { ...entry, slot } };
  });
  if (chosen === undefined) throw new Error('The registry was changed without choosing ports.');
  return chosen;
}

async function findSlot(registry: Registry, name: string, parties: readonly string[]): Promise<number> {
  const others = Object.entries(registry).filter(([other]) => other !== name);
  const taken = new Set(others.map(([, entry]) => entry.slot));
  for (let slot = 0; slot < maxSlots; slot++) {
    if (taken.has(slot)) continue;
    const used = await usedPorts(portsFrom(firstPort + slotSize * slot, parties));
    if (used.length === 0) return slot;
  }
  throw new StackError('PORT_IN_USE', `No hundred of ports between ${firstPort} and 32700 is free.`, {
    hint: 'Remove a stack that you no longer need: stack list, stack remove NAME.',
  });
}

/** The ports of a stack that begins at `base` (cli, section 16). */
export function portsFrom(base: number, parties: readonly string[]): Ports {
  const from = (first: number): Record<string, number> =>
    Object.fromEntries(parties.map((party, index) => [party, base + first + index]));
  return { base, chain: base, store: base + 1, parties: from(firstNode), peers: from(firstPeer) };
}

async function requireFree(ports: Ports): Promise<void> {
  const [used] = await usedPorts(ports);
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

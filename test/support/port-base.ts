import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { isFree } from '../../src/stack/ports/free-port.js';
import { isErrno } from '../../src/supervisor/files/json-file.js';

const hundred = 100;

interface Ranges {
  readonly first: number;
  readonly count: number;
  /** The offset of the port on which the owner of a range listens. */
  readonly held: number;
}

/** No stack of fewer than fifty parties uses the last port. */
const ofStacks: Ranges = { first: 21_000, count: 90, held: 99 };
/** A start claims the last port, so another is held. */
const ofClaims: Ranges = { first: 30_000, count: 26, held: 97 };

/** Below the ports that `stack init` looks for and those that the system assigns. */
const ofSingles: Ranges = { first: 13_000, count: 30, held: 99 };

/** The ports of this process's range that were not given out yet. */
const singles: number[] = [];

/**
 * Returns the start of a range of a hundred ports for a stack, separate from the default ranges of stacks. The range
 * belongs to this process until it exits, also while the stack is down: this process listens on its last port, so no
 * other process, of this run or of another checkout, can claim it.
 *
 * @throws Error if no range is free
 */
export async function freePortBase(): Promise<string> {
  return String((await take(ofStacks)).base);
}

/**
 * Returns the start of a range that belongs to a test until it ends, and whose last port a start may claim.
 *
 * @param atEnd called with the function that releases the range
 * @throws Error if no range is free
 */
export async function claimablePortBase(atEnd: (release: () => void) => void): Promise<number> {
  const { base, server } = await take(ofClaims);
  atEnd(() => void server.close());
  return base;
}

/**
 * Returns a port that belongs to this process until it exits, also while nothing listens there. Another process could
 * take a port that the system assigned and that was closed.
 *
 * @throws Error if no range is free
 */
export async function freePort(): Promise<number> {
  const free = singles.pop();
  if (free !== undefined) return free;
  const { base } = await take(ofSingles);
  singles.push(...Array.from({ length: ofSingles.held }, (_, at) => base + at));
  return freePort();
}

async function take({ first, count, held }: Ranges): Promise<{ readonly base: number; readonly server: Server }> {
  // Processes that start at different ranges seldom find one that is taken.
  const start = process.pid % count;
  for (let at = 0; at < count; at += 1) {
    const base = first + hundred * ((start + at) % count);
    const server = await hold(base, held);
    if (server !== undefined) return { base, server };
  }
  throw new Error(`no hundred of ports from ${first} on is free`);
}

async function hold(base: number, held: number): Promise<Server | undefined> {
  const server = createServer().listen(base + held, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE')) return undefined;
    throw error;
  }
  server.unref();
  const others = Array.from({ length: hundred }, (_, port) => port).filter((port) => port !== held);
  const free = await Promise.all(others.map((port) => isFree(base + port)));
  if (free.every(Boolean)) return server;
  server.close();
  return undefined;
}

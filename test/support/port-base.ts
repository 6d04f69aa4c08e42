import { once } from 'node:events';
import { createServer } from 'node:net';
import { isFree } from '../../src/stack/ports/ports.js';
import { isErrno } from '../../src/supervisor/files/json-file.js';

const hundred = 100;
const firstBase = 21_000;
const bases = 90;
/** No stack of less than fifty parties uses it. */
const lastPort = 99;

/**
 * Returns the start of a range of a hundred ports for a stack, separate from the default ranges of stacks. The range
 * belongs to this process until it ends, also while the stack is down: this process listens on its last port, and a
 * second one, of this run or of another checkout's, cannot.
 *
 * @throws Error if no range is free
 */
export async function freePortBase(): Promise<string> {
  // Processes that start at different ranges seldom meet one that is taken.
  const first = process.pid % bases;
  for (let at = 0; at < bases; at += 1) {
    const base = firstBase + hundred * ((first + at) % bases);
    if (await take(base)) return String(base);
  }
  throw new Error(`no hundred of ports from ${firstBase} on is free`);
}

async function take(base: number): Promise<boolean> {
  const server = createServer().listen(base + lastPort, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE')) return false;
    throw error;
  }
  server.unref();
  const free = await Promise.all(Array.from({ length: lastPort }, (_, port) => isFree(base + port)));
  if (free.every(Boolean)) return true;
  server.close();
  return false;
}

import { isFree } from '../../src/stack/ports.js';

const hundred = 100;
const firstBase = 21_000;
const bases = 90;
/** How many test files may run side by side; each has bases of its own. */
const maxWorkers = 2;

/**
 * Where the ports of a stack for a test begin: a free hundred, apart from those that stacks take by themselves and from
 * those of the files that run at the same time. Nobody else must move in while a stack is down for a moment.
 */
export async function freePortBase(): Promise<string> {
  const worker = Number(process.env['VITEST_POOL_ID'] ?? 1) % maxWorkers;
  const mine = Array.from({ length: bases / maxWorkers }, (_, at) => firstBase + hundred * (maxWorkers * at + worker));
  // Runs of other checkouts begin elsewhere.
  const first = process.pid % mine.length;
  for (const base of [...mine.slice(first), ...mine.slice(0, first)]) {
    const free = await Promise.all(Array.from({ length: hundred }, (_, port) => isFree(base + port)));
    if (free.every(Boolean)) return String(base);
  }
  throw new Error(`no hundred of ports from ${firstBase} on is free`);
}

import { isFree } from '../../src/stack/ports/ports.js';

const hundred = 100;
const firstBase = 21_000;
const bases = 90;
/** Test files that run concurrently; each has its own port ranges. */
const maxWorkers = 3;

/**
 * Returns the start of a free range of a hundred ports for a stack, separate from the default range of stacks and from
 * test files running at the same time, so that nobody takes the ports while the stack is down.
 */
export async function freePortBase(): Promise<string> {
  const worker = Number(process.env['VITEST_POOL_ID'] ?? 1) % maxWorkers;
  const mine = Array.from({ length: bases / maxWorkers }, (_, at) => firstBase + hundred * (maxWorkers * at + worker));
  // Runs of other checkouts start elsewhere.
  const first = process.pid % mine.length;
  for (const base of [...mine.slice(first), ...mine.slice(0, first)]) {
    const free = await Promise.all(Array.from({ length: hundred }, (_, port) => isFree(base + port)));
    if (free.every(Boolean)) return String(base);
  }
  throw new Error(`no hundred of ports from ${firstBase} on is free`);
}

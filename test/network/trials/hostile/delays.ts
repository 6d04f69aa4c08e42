import { eventLoopDelayName } from '../../../../src/adapters/metrics/event-loop.js';
import type { HttpClient } from '../../../../src/bench/http.js';
import type { Party } from './world.js';

/** The number of event-loop delays of a node since its start up to each bound, by the bound in seconds. */
export type Delays = ReadonlyMap<number, number>;

/** Reads the histogram of a node's event-loop delays; empty if the node does not answer. */
export async function readDelays(http: HttpClient, { url }: Party): Promise<Delays> {
  const text = await http.get(`${url}/metrics`).then(
    (bytes) => bytes.toString('utf8'),
    () => '',
  );
  const lines = text.matchAll(new RegExp(`^${eventLoopDelayName}_bucket\\{le="([^"]+)"\\} (\\d+)$`, 'gm'));
  const bound = (le: string | undefined): number => (le === '+Inf' ? Infinity : Number(le));
  return new Map([...lines].map(([, le, count]) => [bound(le), Number(count)]));
}

/**
 * Returns the smallest bound, in seconds, for every delay between two readings; 0 if there was none. Infinity if the
 * node did not answer one of them, or restarted between them.
 */
export function longestBetween(before: Delays, after: Delays): number {
  if ((after.get(Infinity) ?? 0) < (before.get(Infinity) ?? Infinity)) return Infinity;
  const since = [...after].map(([bound, count]) => [bound, count - (before.get(bound) ?? 0)] as const);
  const all = Math.max(0, ...since.map(([, count]) => count));
  return all === 0 ? 0 : Math.min(...since.filter(([, count]) => count === all).map(([bound]) => bound));
}

import { readdir } from 'node:fs/promises';
import { ephemeralHome, placeFrom } from '../stack/layout.js';
import type { Environment } from './terminal/output.js';

/** Removes what `run` networks have left whose supervisor was killed. Without leftovers it only reads one directory. */
export async function sweepLeftovers(environment: Environment): Promise<void> {
  const place = placeFrom(environment);
  const names = await readdir(ephemeralHome(place)).catch(() => []);
  if (names.length === 0) return;
  const { sweepEphemerals } = await import('../stack/cleaning/sweep.js');
  // The next command tries again.
  await sweepEphemerals(place).catch(() => undefined);
}

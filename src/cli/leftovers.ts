import { readdir } from 'node:fs/promises';
import { ephemeralHome, placeFrom } from '../stack/layout.js';
import type { Environment } from './output.js';

/**
 * Removes, beside the command, what networks of `run` have left whose supervisor was killed too. Where there are none
 * this costs one look at a directory.
 */
export async function sweepLeftovers(environment: Environment): Promise<void> {
  const place = placeFrom(environment);
  const names = await readdir(ephemeralHome(place)).catch(() => []);
  if (names.length === 0) return;
  const { sweepEphemerals } = await import('../stack/sweep.js');
  // What cannot be removed now is found again by the next command.
  await sweepEphemerals(place).catch(() => undefined);
}

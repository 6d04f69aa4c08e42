import type { Log } from '../../ports/log.js';
import { type LaterParty, LaterPartiesFile } from '../../wire/later-parties.js';
import type { NodeConfig } from '../config.js';
import { watchFile } from '../watched-file.js';

/** Returns a query for the parties that have joined the stack of a node since it started. */
export function openLaterParties(
  { laterParties }: Pick<NodeConfig, 'laterParties'>,
  log: Log,
): () => readonly LaterParty[] {
  if (laterParties === undefined) return () => [];
  const read = watchFile({ ...laterParties, schema: LaterPartiesFile, contents: 'later parties', log });
  return () => read()?.parties ?? [];
}

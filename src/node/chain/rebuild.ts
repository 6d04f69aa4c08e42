import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rebuildHistory } from '../../pipeline/rebuild/rebuild.js';
import type { RebuildParts } from '../../pipeline/rebuild/undoing.js';
import { ChainError } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import { textOf } from '../../wire/json/json.js';
import { rebuildFile, RebuildRequest, type RebuildResult, rebuiltFile } from '../../wire/rebuild.js';
import { parseFile } from '../config.js';

export interface NodeRebuildParts extends RebuildParts {
  readonly dataDirectory: string;
  readonly clock: Clock;
  /** Aborted if the process is asked to stop. */
  readonly signal: AbortSignal;
}

const retryMs = 1_000;

/**
 * Rebuilds the node's history if a file in its data directory requests it (docs/operations.md §10.1). The file stays
 * until the rebuild is complete, so a start after a crash continues it. Waits for the chain.
 *
 * @throws ChainError other_chain; Error if the file is damaged
 */
export async function rebuildIfAsked(parts: NodeRebuildParts): Promise<void> {
  const { dataDirectory, log } = parts;
  const request = join(dataDirectory, rebuildFile);
  const asked = await readRequest(request);
  if (asked === undefined) return;
  const { keptBlock, readBlock } = await rebuild(parts, asked);
  const result: RebuildResult = { keptBlock, ...(readBlock !== undefined && { readBlock }) };
  const temporary = join(dataDirectory, `${rebuiltFile}.new`);
  await writeFile(temporary, textOf(result), { mode: 0o600, flush: true });
  await rename(temporary, join(dataDirectory, rebuiltFile));
  await rm(request);
  log.info('The history will be read again from the chain', { keptBlock, readBlock });
}

async function readRequest(path: string): Promise<RebuildRequest | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : parseFile(path, text, RebuildRequest).value;
}

async function rebuild(parts: NodeRebuildParts, asked: RebuildRequest) {
  const { clock, log, signal } = parts;
  for (;;) {
    try {
      return await rebuildHistory(parts, asked);
    } catch (error) {
      if (!(error instanceof ChainError) || error.reason !== 'unreachable') throw error;
      log.warn('The chain does not answer, so its history cannot be read again yet', { error: error.message });
    }
    signal.throwIfAborted();
    await clock.sleep(retryMs, signal);
  }
}

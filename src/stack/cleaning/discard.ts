import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../../supervisor/files/json-file.js';
import { syncDirectory } from '../../supervisor/files/private-file.js';
import { exists } from '../../supervisor/machine/directory.js';
import { forgetDefinition } from '../definition/applied-definition.js';
import { forgetSettings } from '../definition/changes.js';
import type { Layout } from '../layout.js';
import { hasUnfinished, removeUnfinished } from '../snapshot/places.js';

const discardedPrefix = '.trash-';

/**
 * Deletes the state of a stopped stack's network: its data and the files that refer to them. The data directory is
 * renamed first, which needs no disk space; if this process is then killed, `finishDiscard` completes the deletion.
 */
export async function discardState(layout: Layout): Promise<void> {
  await finishDiscard(layout);
  await moveAside(layout);
  await forgetNetwork(layout);
  await removeUnfinished(layout.directory, discardedPrefix);
}

/** Completes a `discardState` that was killed. Call it under the stack's lock, before new data is written. */
export async function finishDiscard(layout: Layout): Promise<void> {
  if (!(await hasUnfinished(layout.directory, discardedPrefix))) return;
  // Existing data was written since.
  if (!(await exists(layout.data))) await forgetNetwork(layout);
  await removeUnfinished(layout.directory, discardedPrefix);
}

async function moveAside({ data, directory }: Layout): Promise<void> {
  try {
    await rename(data, join(directory, `${discardedPrefix}${randomBytes(6).toString('hex')}`));
    await syncDirectory(directory);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}

async function forgetNetwork(layout: Layout): Promise<void> {
  for (const file of [layout.contracts, layout.pendingContracts, layout.genesis]) await rm(file, { force: true });
  await forgetSettings(layout);
  await forgetDefinition(layout);
}

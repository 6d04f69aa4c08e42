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

const asidePrefix = '.trash-';

/**
 * Deletes the state of a stack's network: its data, and the files beside them that speak of it. The data are moved
 * aside first, which needs no room on the disk; killed after that, `finishDiscard` goes on. Nothing of it may run.
 */
export async function discardState(layout: Layout): Promise<void> {
  await finishDiscard(layout);
  await moveAside(layout);
  await forgetNetwork(layout);
  await removeUnfinished(layout.directory, asidePrefix);
}

/** Ends a `discardState` that was killed. To be called under the stack's lock, before anything makes data. */
export async function finishDiscard(layout: Layout): Promise<void> {
  if (!(await hasUnfinished(layout.directory, asidePrefix))) return;
  // Data that are there have been made since.
  if (!(await exists(layout.data))) await forgetNetwork(layout);
  await removeUnfinished(layout.directory, asidePrefix);
}

async function moveAside({ data, directory }: Layout): Promise<void> {
  try {
    await rename(data, join(directory, `${asidePrefix}${randomBytes(6).toString('hex')}`));
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

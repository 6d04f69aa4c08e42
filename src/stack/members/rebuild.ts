import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import { rebuildFile, type RebuildRequest, RebuildResult, rebuiltFile } from '../../wire/rebuild.js';
import { connectControl } from '../control/control.js';
import { externalCommand, readExternal } from '../engines/external.js';
import { StackError } from '../error.js';
import { nodeData } from '../layout.js';
import type { Stack } from '../places/locate.js';
import { withLock } from '../places/lock.js';
import { requireRoom } from '../places/room.js';
import { exists } from '../../supervisor/machine/directory.js';
import { readGuests } from './admit.js';
import { requirePartyName } from './party-control.js';

/**
 * Checks that the history of a party can be rebuilt here.
 *
 * @throws StackError SERVICE_NOT_FOUND, EXTERNAL_REFUSED; NOT_RUNNING for a party that has never run
 */
export async function requireRebuildable(stack: Stack, party: string): Promise<void> {
  const { layout } = stack;
  const guests = await readGuests(layout);
  if (guests.some(({ organization, node }) => organization === party || node === party)) {
    throw new StackError('SERVICE_NOT_FOUND', `The node of ${party} runs on another machine.`, {
      hint: `There: stack node rebuild ${party}`,
      details: { name: party },
    });
  }
  requirePartyName(stack, party);
  if ((await readExternal(layout)).includes(party)) {
    const { program, config } = externalCommand(layout, party);
    const file = join(nodeData(layout, party), rebuildFile);
    throw new StackError('EXTERNAL_REFUSED', `You run the node of ${party} yourself, so the stack cannot stop it.`, {
      hint: `Stop it, write {} into ${file}, and start it again: node ${program} ${config}`,
    });
  }
  if (await exists(nodeData(layout, party))) return;
  throw new StackError('NOT_RUNNING', `The node of ${party} has never run, so it has no history.`, {
    hint: `Start it: stack start ${stack.name}`,
  });
}

/**
 * Requests that the next start of a party's node rebuilds its history from the chain (docs/operations.md §10.1), and
 * stops the node if it runs. Resolves with whether the stack runs. A repeated call replaces the request.
 *
 * @throws StackError LOCKED, DISK_FULL, PROTOCOL_MISMATCH
 */
export async function askForRebuild(stack: Stack, party: string, request: RebuildRequest): Promise<boolean> {
  const { layout } = stack;
  await requireRoom(stack);
  return withLock(layout.lock, 'node rebuild', async () => {
    const control = await connectControl(layout);
    const view = (await control?.status())?.services.find(({ name }) => name === party);
    if (view !== undefined && view.state !== 'stopped') await control?.service(party, 'stop');
    await rm(join(nodeData(layout, party), rebuiltFile), { force: true });
    await writeJsonFile(join(nodeData(layout, party), rebuildFile), request);
    return control !== undefined;
  });
}

/** The result of the last rebuild of a party's history; undefined until it has ended. */
export async function readRebuilt({ layout }: Stack, party: string): Promise<RebuildResult | undefined> {
  return readJsonFile(join(nodeData(layout, party), rebuiltFile), RebuildResult);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findStale } from '../../../../src/stack/cleaning/checkup.js';
import { writeEphemeralFile } from '../../../../src/stack/cleaning/ephemeral-entry.js';
import { ephemeralHome, layoutOf, type Place, stackDirectory } from '../../../../src/stack/layout.js';
import { locateStack } from '../../../../src/stack/places/locate.js';
import { changeRegistry, readRegistry } from '../../../../src/stack/places/registry.js';
import { sweepEphemerals } from '../../../../src/stack/cleaning/sweep.js';
import type { Identity } from '../../../../src/supervisor/machine/identity.js';
import { writeJsonFile } from '../../../../src/supervisor/files/json-file.js';
import { aPlace } from '../fixtures/place.js';
import { twoProcesses } from '../fixtures/processes.js';

const createdAt = '2026-01-01T00:00:00Z';

async function aRow(place: Place, name: string): Promise<string> {
  const directory = stackDirectory(place, name);
  await changeRegistry(place, (registry) => ({ ...registry, [name]: { directory, template: 'ci@1', createdAt } }));
  return directory;
}

function aState(identity: Identity) {
  return {
    protocol: 1,
    stack: 'a',
    name: 'a',
    identity,
    startedAt: createdAt,
    state: 'running',
    lostLogLines: 0,
    services: [],
  };
}

async function anEphemeral(place: Place, name: string, owner: Identity): Promise<void> {
  await writeEphemeralFile({ directory: join(ephemeralHome(place), name) }, { owner, template: 'ci@1', createdAt });
}

test('finds registry entries without a directory and states of dead supervisors, and fixes them', async () => {
  const place = aPlace();
  const { living, dead } = await twoProcesses();
  await aRow(place, 'lost');
  for (const [name, identity] of [
    ['alive', living],
    ['killed', dead],
  ] as const) {
    await writeJsonFile(layoutOf(await aRow(place, name), place).state, aState(identity));
  }
  const stale = await findStale(place);
  expect(stale.map(({ text }) => /\b(lost|alive|killed)\b/.exec(text)?.[1])).toEqual(['lost', 'killed']);
  for (const { fix } of stale) await fix();
  expect(await findStale(place)).toEqual([]);
  expect(Object.keys(await readRegistry(place))).toEqual(['alive', 'killed']);
});

test('finds a socket without a listener, and removes it', async () => {
  const place = aPlace();
  const socket = join(place.runtimeDirectory, '0123456789ab.sock');
  await mkdir(place.runtimeDirectory, { recursive: true, mode: 0o700 });
  const server = spawn(process.execPath, ['-e', `require('net').createServer().listen(process.argv[1])`, socket]);
  onTestFinished(() => void server.kill('SIGKILL'));
  await expect.poll(() => readdir(place.runtimeDirectory)).toHaveLength(1);
  server.kill('SIGKILL');
  await once(server, 'exit');
  const [stale, ...others] = await findStale(place);
  expect(others).toEqual([]);
  await stale?.fix();
  expect(await readdir(place.runtimeDirectory)).toEqual([]);
});

test('sweeps only temporary stacks whose owner and supervisor are dead', async () => {
  const place = aPlace();
  const { living, dead } = await twoProcesses();
  await anEphemeral(place, 'run-00000001', living);
  await anEphemeral(place, 'run-00000002', dead);
  await anEphemeral(place, 'run-00000003', dead);
  const state = (name: string) => layoutOf(join(ephemeralHome(place), name), place).state;
  await writeJsonFile(state('run-00000002'), aState(dead));
  await writeJsonFile(state('run-00000003'), aState(living));
  await mkdir(join(ephemeralHome(place), '.init-young'));
  await writeFile(join(ephemeralHome(place), 'a file of the user'), '');
  expect(await sweepEphemerals(place)).toEqual(['run-00000002']);
  expect((await readdir(ephemeralHome(place))).sort()).toEqual([
    '.init-young',
    'a file of the user',
    'run-00000001',
    'run-00000003',
  ]);
  await expect(locateStack(place, 'run-00000001')).resolves.toMatchObject({ name: 'run-00000001' });
  await expect(locateStack(place, 'run-00000002')).rejects.toMatchObject({ code: 'STACK_NOT_FOUND' });
});

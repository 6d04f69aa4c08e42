import { chmodSync, existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { restartOne } from '../../../../../src/cli/stack/starting/restart.js';
import { noteSettings } from '../../../../../src/stack/definition/changes.js';
import { operatorKeyFile } from '../../../../../src/stack/keys/keys.js';
import { writeJsonFile } from '../../../../../src/supervisor/files/json-file.js';
import { aProcess } from '../../../stack/fixtures/processes.js';
import { aNetwork } from '../../../stack/snapshot/a-network.js';
import { memoryOutput } from '../../memory-output.js';

const flags = { stack: 'dev', timeout: '10s', progress: 'none', party: undefined } as const;

it('a restart with a change that no start could apply is refused before anything stops', async () => {
  const { layout, place, settings } = await aNetwork();
  await noteSettings(layout, { ...settings, chain: { ...settings.chain, chainId: settings.chain.chainId + 1 } });
  // A stop of the stack removes the file.
  await writeJsonFile(layout.faults, { faults: [] });
  const context = { output: memoryOutput().output, environment: { STACK_HOME: place.home }, program: 'stack' };
  await expect(restartOne(flags, context)).rejects.toMatchObject({ code: 'STATE_INVALID', exitCode: 10 });
  expect(existsSync(layout.faults)).toBe(true);
});

it('a restart of a running stack without what its start needs is refused before anything stops', async () => {
  const { layout, place, settings } = await aNetwork();
  await noteSettings(layout, settings);
  // A supervisor that is alive, but does not answer.
  const { identity } = await aProcess();
  const last = { protocol: 1, stack: layout.id, name: 'dev', identity, startedAt: 't', state: 'running' };
  await writeJsonFile(layout.state, { ...last, lostLogLines: 0, services: [] });
  await writeJsonFile(layout.faults, { faults: [] });
  chmodSync(operatorKeyFile(layout), 0o644);
  const context = { output: memoryOutput().output, environment: { STACK_HOME: place.home }, program: 'stack' };
  await expect(restartOne(flags, context)).rejects.toMatchObject({ code: 'KEY_NOT_PRIVATE' });
  expect(existsSync(layout.faults)).toBe(true);
});

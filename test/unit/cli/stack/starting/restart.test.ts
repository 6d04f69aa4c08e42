import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { restartOne } from '../../../../../src/cli/stack/starting/restart.js';
import { noteSettings } from '../../../../../src/stack/definition/changes.js';
import { writeJsonFile } from '../../../../../src/supervisor/files/json-file.js';
import { aNetwork } from '../../../stack/snapshot/a-network.js';
import { memoryOutput } from '../../memory-output.js';

it('a restart with a change that no start could apply is refused before anything stops', async () => {
  const { layout, place, settings } = await aNetwork();
  await noteSettings(layout, { ...settings, chain: { ...settings.chain, chainId: settings.chain.chainId + 1 } });
  // A stop of the stack removes the file.
  await writeJsonFile(layout.faults, { faults: [] });
  const context = { output: memoryOutput().output, environment: { STACK_HOME: place.home }, program: 'stack' };
  const restarted = restartOne({ stack: 'dev', timeout: '10s', progress: 'none', party: undefined }, context);
  await expect(restarted).rejects.toMatchObject({ code: 'STATE_INVALID', exitCode: 10 });
  expect(existsSync(layout.faults)).toBe(true);
});

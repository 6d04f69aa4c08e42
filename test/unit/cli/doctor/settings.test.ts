import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSettings } from '../../../../src/cli/doctor/settings.js';
import { createStack } from '../../../../src/stack/create.js';
import { aPlace } from '../../stack/fixtures/place.js';

describe('the check of settings', () => {
  it('finds nothing if there are none', async () => {
    expect(await checkSettings(aPlace(), 'stack')).toMatchObject([{ state: 'ok' }]);
  });

  it('fails for an invalid config.yaml, and warns of each invalid definition', async () => {
    const place = aPlace();
    const { configPath } = await createStack(place, { name: 'dev', template: 'minimal', workingDirectory: '/' });
    await createStack(place, { name: 'other', template: 'minimal', workingDirectory: '/' });
    expect(await checkSettings(place, 'stack')).toMatchObject([{ state: 'ok' }]);
    await mkdir(dirname(place.configFile), { recursive: true });
    await writeFile(place.configFile, 'colour: 1\n');
    await writeFile(configPath, 'portz: 1\n');
    expect(await checkSettings(place, 'parley')).toMatchObject([
      {
        state: 'fail',
        text: expect.stringContaining('config.yaml:1:1: The key colour'),
        // The command works without a stack.
        remedy: `Correct it: parley config validate ${place.configFile}`,
      },
      { state: 'warn', text: expect.stringContaining('stack.yaml:1:1: '), remedy: expect.stringContaining('-s dev') },
    ]);
  });
});

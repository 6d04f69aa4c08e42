import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSettings } from '../../../../src/cli/doctor/settings.js';
import { createStack } from '../../../../src/stack/create.js';
import { aPlace } from '../../stack/fixtures/place.js';

describe('the check of settings', () => {
  it('finds nothing where there is nothing', async () => {
    expect(await checkSettings(aPlace(), 'stack')).toMatchObject([{ state: 'ok' }]);
  });

  it('fails for a config.yaml that is wrong, and warns of each definition that is', async () => {
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
        // It can be typed where there is no stack.
        remedy: `Correct it: parley config validate ${place.configFile}`,
      },
      { state: 'warn', text: expect.stringContaining('stack.yaml:1:1: '), remedy: expect.stringContaining('-s dev') },
    ]);
  });
});

import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core/config';
import { expect, it } from 'vitest';
import { loadConfig } from '../../../src/cli/main.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

it('commands know the name that was typed, although each gets its own configuration', async () => {
  const config = await loadConfig(root, 'parley');
  expect((await Config.load(config)).bin).toBe('parley');
  expect((await Config.load(await loadConfig(root, 'stack'))).bin).toBe('stack');
});

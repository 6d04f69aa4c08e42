import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { setConfig } from '../../../../src/cli/config/config.js';
import { memoryOutput } from '../memory-output.js';

it('a config.yaml that cannot be written is blamed on its own directory, and not on that of the stacks', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'file'), '');
  const environment = { STACK_HOME: join(directory, 'home'), XDG_CONFIG_HOME: join(directory, 'file') };
  const context = { output: memoryOutput().output, environment, program: 'stack' };
  await expect(setConfig({ settings: ['template=ci'], user: true }, context)).rejects.toMatchObject({
    exitCode: 9,
    hint: 'Choose another directory for it: set XDG_CONFIG_HOME.',
  });
});

import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { commandReference } from '../../support/command-reference.js';

// UPDATE_DOCS=1 vitest run test/unit/cli/reference.test.ts writes the page after a change of a command.
const updates = process.env['UPDATE_DOCS'] === '1';
const page = new URL('../../../docs/commands.md', import.meta.url);

it('the reference in docs/commands.md is what the commands say of themselves', async () => {
  const text = await commandReference();
  if (updates) await writeFile(page, text);
  expect(text).toBe(await readFile(page, 'utf8'));
});

import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { commandReference } from '../../support/command-reference.js';
import { manPage } from '../../support/man-page.js';

// UPDATE_DOCS=1 vitest run test/unit/cli/reference.test.ts writes both pages after a change of a command.
const updates = process.env['UPDATE_DOCS'] === '1';

it.each([
  ['docs/commands.md', commandReference],
  ['man/stack.1', manPage],
])('%s has what the commands say of themselves', async (path, write) => {
  const text = await write();
  const page = new URL(`../../../${path}`, import.meta.url);
  if (updates) await writeFile(page, text);
  expect(text).toBe(await readFile(page, 'utf8'));
});

import { expect, test } from 'vitest';
import { createStack } from '../../../src/stack/create.js';
import { locateStack } from '../../../src/stack/places/locate.js';
import { removeStack } from '../../../src/stack/remove.js';
import { aPlace } from './fixtures/place.js';

test('A stack whose database.url file is missing is removed only with force', async () => {
  const place = aPlace();
  const database = { path: ['database'], value: '{provider: postgres, url: "file:/nowhere/database.url"}' };
  await createStack(place, { name: 'dev', settings: [database], workingDirectory: '/' });
  const stack = await locateStack(place, 'dev');
  await expect(removeStack(stack)).rejects.toMatchObject({
    code: 'KEY_INVALID',
    message: 'database.url: /nowhere/database.url cannot be read: there is no such file.',
    hint: expect.stringContaining('stack remove --force'),
  });
  expect(await removeStack(stack, { force: true })).toEqual({ removed: ['dev'], leftovers: [], kept: [] });
});

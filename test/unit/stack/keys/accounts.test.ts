import { rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createStack } from '../../../../src/stack/create.js';
import { deriveAccounts, requireFormerKeys } from '../../../../src/stack/keys/accounts.js';
import { operatorKeyFile, signingKeyFile, spareKeyFiles } from '../../../../src/stack/keys/keys.js';
import { loadStack } from '../../../../src/stack/places/locate.js';
import { aPlace } from '../fixtures/place.js';

async function aStack(source: string) {
  const place = aPlace();
  const settings = [{ path: ['keys', 'source'], value: source }];
  await createStack(place, { name: 'dev', template: 'minimal', settings, workingDirectory: '/' });
  return loadStack(place, 'dev');
}

describe('the keys of the last start', () => {
  it.each([
    ['operator', operatorKeyFile],
    ['signing', (layout: Parameters<typeof operatorKeyFile>[0]) => signingKeyFile(layout, 'bob')],
    ['spare', (layout: Parameters<typeof operatorKeyFile>[0]) => spareKeyFiles(layout, 'bob', 2)[1] ?? ''],
  ])('are required at the next one: %s', async (_, fileIn) => {
    const { layout, settings } = await aStack('random');
    const path = fileIn(layout);
    await deriveAccounts(layout, settings);
    await requireFormerKeys(layout, settings);
    await rm(path);
    await expect(requireFormerKeys(layout, settings)).rejects.toMatchObject({
      code: 'KEY_INVALID',
      message: `The key ${path} is missing.`,
    });
  });

  it('are not required at the first start, if they are published, or if their addresses are unknown', async () => {
    const random = await aStack('random');
    await rm(signingKeyFile(random.layout, 'bob'));
    await requireFormerKeys(random.layout, random.settings);
    await writeFile(random.layout.accounts, 'damaged');
    await requireFormerKeys(random.layout, random.settings);
    const published = await aStack('test');
    await deriveAccounts(published.layout, published.settings);
    await rm(signingKeyFile(published.layout, 'bob'));
    await expect(requireFormerKeys(published.layout, published.settings)).resolves.toBeUndefined();
  });
});

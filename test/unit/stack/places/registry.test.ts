import { cp, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStack } from '../../../../src/stack/create.js';
import { locateStack } from '../../../../src/stack/places/locate.js';
import { changeRegistry, readRegistry } from '../../../../src/stack/places/registry.js';
import { aPlace } from '../fixtures/place.js';

async function aHome() {
  const place = aPlace();
  await createStack(place, { name: 'dev', template: 'minimal', workingDirectory: '/' });
  return { place, at: (home: string) => ({ ...place, home }) };
}

describe('the registry of a home', () => {
  it('has the new directories after the home was moved', async () => {
    const { place, at } = await aHome();
    const moved = `${place.home}-moved`;
    await rename(place.home, moved);
    expect((await locateStack(at(moved), 'dev')).layout.directory).toBe(join(moved, 'stacks', 'dev'));
    await changeRegistry(at(moved), (registry) => ({ ...registry }));
    expect(await readRegistry(at(moved))).toMatchObject({ dev: { directory: join(moved, 'stacks', 'dev') } });
    await rm(moved, { recursive: true });
  });

  it('is refused after the home was copied', async () => {
    const { place, at } = await aHome();
    const copied = `${place.home}-copied`;
    await cp(place.home, copied, { recursive: true });
    await expect(locateStack(at(copied), 'dev')).rejects.toMatchObject({
      code: 'STATE_INVALID',
      message: `${copied} is a copy of ${place.home}: dev is here and in ${join(place.home, 'stacks', 'dev')}.`,
      hint: expect.stringContaining(`Use STACK_HOME=${place.home}, or move that away`) as string,
    });
    expect(await readRegistry(place)).toHaveProperty('dev');
    await rm(copied, { recursive: true });
  });

  it('may be read through a symbolic link to the home', async () => {
    const { place, at } = await aHome();
    const link = `${place.home}-link`;
    await symlink(place.home, link);
    expect(await readRegistry(at(link))).toEqual(await readRegistry(place));
    await rm(link);
  });
});

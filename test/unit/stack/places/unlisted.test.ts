import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStack } from '../../../../src/stack/create.js';
import { setIn } from '../../../../src/stack/definition/render.js';
import { readStackText } from '../../../../src/stack/definition/stack-file.js';
import { stackDirectory } from '../../../../src/stack/layout.js';
import { changeRegistry, readRegistry, without } from '../../../../src/stack/places/registry.js';
import { removeStack } from '../../../../src/stack/remove.js';
import { locateStack } from '../../../../src/stack/places/locate.js';
import { aPlace } from '../fixtures/place.js';

const workingDirectory = '/';

async function aCopiedStack(...settings: string[]) {
  const place = aPlace();
  const set = settings.map((value) => ({ path: ['keys', 'source'], value }));
  await createStack(place, { name: 'dev', template: 'minimal', settings: set, workingDirectory });
  const copy = stackDirectory(place, 'copy');
  await cp(stackDirectory(place, 'dev'), copy, { recursive: true });
  return { place, copy };
}

describe('a directory of a stack that is not in the list', () => {
  it.each([[[]], [['test']]])('that was copied is refused while its original is listed (keys: %j)', async (keys) => {
    const { place, copy } = await aCopiedStack(...keys);
    for (const ifMissing of [false, true]) {
      await expect(createStack(place, { name: 'copy', ifMissing, workingDirectory })).rejects.toMatchObject({
        code: 'STATE_INVALID',
        message: `${copy} is a copy of the stack dev: both have the same keys.`,
        hint: expect.stringContaining('stack snapshot restore -s dev NAME --as copy') as string,
      });
    }
    expect(Object.keys(await readRegistry(place))).toEqual(['dev']);
    await removeStack(await locateStack(place, 'dev'));
    await createStack(place, { name: 'copy', ifMissing: true, workingDirectory });
    expect(Object.keys(await readRegistry(place))).toEqual(['copy']);
  });

  it('is listed again if its mark differs, as that of a restored snapshot', async () => {
    const { place, copy } = await aCopiedStack();
    const text = await readStackText(join(copy, 'stack.yaml'));
    await writeFile(join(copy, 'stack.yaml'), setIn(text, ['copy'], '0011223344556677'));
    await createStack(place, { name: 'copy', ifMissing: true, workingDirectory });
    expect(Object.keys(await readRegistry(place))).toEqual(['dev', 'copy']);
  });

  it('is listed again with its template and its project', async () => {
    const [place, project] = [aPlace(), aPlace().home];
    await mkdir(project, { recursive: true });
    await createStack(place, { name: 'dev', template: 'minimal', here: true, workingDirectory: project });
    await changeRegistry(place, (registry) => without(registry, 'dev'));
    const again = await createStack(place, { name: 'dev', ifMissing: true, workingDirectory });
    expect(again).toMatchObject({ template: 'minimal@1', configPath: join(project, 'stack.yaml'), existed: true });
  });

  it('but has no stack is named, and stays as it is', async () => {
    const place = aPlace();
    const directory = stackDirectory(place, 'dev');
    await mkdir(join(directory, 'keys'), { recursive: true });
    await expect(createStack(place, { name: 'dev', ifMissing: true, workingDirectory })).rejects.toMatchObject({
      code: 'NAME_EXISTS',
      message: `${directory} already exists, but has no stack.`,
    });
    expect(await readRegistry(place)).toEqual({});
  });
});

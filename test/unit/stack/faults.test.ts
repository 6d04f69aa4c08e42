import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createStack } from '../../../src/stack/create.js';
import { clearFaults, forgetFaults, readFaults, setFault } from '../../../src/stack/faults.js';
import { loadStack, type Stack } from '../../../src/stack/places/locate.js';
import { writeJsonFile } from '../../../src/supervisor/files/json-file.js';
import { aFault } from '../node/faults/a-fault.js';
import { aPlace } from './fixtures/place.js';

describe('The faults of a stack', () => {
  test('are set only between running nodes of two parties', async () => {
    const stack = await aStack();
    const set = (from: string, to: string) => setFault(stack, { kind: 'cut', from, to });
    await expect(set('alice', 'zoe')).rejects.toMatchObject({ code: 'SERVICE_NOT_FOUND' });
    await expect(set('alice', 'alice')).rejects.toMatchObject({ code: 'NAME_INVALID' });
    await expect(set('alice', 'bob')).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    expect(await readFaults(stack.layout)).toEqual([]);
  });

  test('are cleared by id or all at once, and end when their time is over', async () => {
    const stack = await aStack();
    const over = aFault('drop', 'bob', undefined, { id: 'f3', until: '2026-01-01T00:00:00.001Z' });
    const set = [aFault('cut', 'alice', 'bob'), aFault('drop', 'alice', undefined, { id: 'f2' }), over];
    await writeJsonFile(stack.layout.faults, { version: 1, faults: set });
    expect((await readFaults(stack.layout)).map(({ id }) => id)).toEqual(['f1', 'f2']);
    await expect(clearFaults(stack, 'f9')).rejects.toMatchObject({ code: 'SERVICE_NOT_FOUND' });
    expect((await clearFaults(stack, 'f1')).map(({ id }) => id)).toEqual(['f1']);
    expect((await clearFaults(stack)).map(({ id }) => id)).toEqual(['f2']);
    expect(await clearFaults(stack)).toEqual([]);
    await expect(readFile(stack.layout.faults)).rejects.toMatchObject({ code: 'ENOENT' });
    await writeJsonFile(stack.layout.faults, { version: 1, faults: set });
    await forgetFaults(stack.layout);
    expect(await readFaults(stack.layout)).toEqual([]);
  });
});

async function aStack(): Promise<Stack> {
  const place = aPlace();
  await createStack(place, { name: 'dev', parties: ['alice', 'bob'], workingDirectory: place.home });
  return loadStack(place, 'dev');
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeMany, stopMany } from '../../../../../src/cli/stack/ending/ending.js';
import { answerForStacks } from '../../../../../src/cli/stack/ending/several-stacks.js';
import { createStack } from '../../../../../src/stack/create.js';
import { StackError } from '../../../../../src/stack/error.js';
import { placeFrom } from '../../../../../src/stack/layout.js';
import { listStacks } from '../../../../../src/stack/places/list.js';
import { locateStack } from '../../../../../src/stack/places/locate.js';
import { memoryOutput } from '../../memory-output.js';

const folder = mkdtempSync(join(tmpdir(), 'parley-ending-'));
const environment = { STACK_HOME: folder, XDG_RUNTIME_DIR: folder };
const place = placeFrom(environment);
beforeAll(async () => {
  for (const name of ['one', 'two']) await createStack(place, { name, parties: ['alice'], workingDirectory: folder });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function contextOf(isJson = false, isQuiet = false) {
  const { output, out, err } = memoryOutput({ modes: { isJson, isQuiet } });
  return { context: { output, environment, program: 'stack' }, out, err };
}

describe('a command for several stacks of which one is unknown', () => {
  const flags = { all: false, timeout: '1s' };

  it('reaches the others, reports the failure, and has its exit code', async () => {
    const { context, out, err } = contextOf();
    const stopping = stopMany({ ...flags, names: ['one', 'nosuch', 'two', 'absent'] }, context);
    await expect(stopping).rejects.toMatchObject({ exitCode: 3, isPrinted: true });
    expect(out()).toBe('one is already stopped\ntwo is already stopped\n');
    expect(err()).toMatch(/nosuch[^]*absent/);
  });

  it('prints only the names of the others with --quiet', async () => {
    const { context, out } = contextOf(false, true);
    await expect(stopMany({ ...flags, names: ['one', 'nosuch', 'two'] }, context)).rejects.toMatchObject({
      exitCode: 3,
    });
    expect(out()).toBe('one\ntwo\n');
  });

  it('has one error in JSON, with the result and every failure', async () => {
    const { context, out } = contextOf(true);
    await expect(stopMany({ ...flags, names: ['nosuch', 'one'] }, context)).rejects.toMatchObject({ exitCode: 3 });
    expect(JSON.parse(out())).toMatchObject({
      error: {
        code: 'STACK_NOT_FOUND',
        details: { alreadyStopped: ['one'], failures: [{ name: 'nosuch', code: 'STACK_NOT_FOUND' }] },
      },
    });
  });

  it('names each stack in the hint of its failure', async () => {
    const failures = ['one', 'two'].map((name) => {
      return { name, error: new StackError('PROTOCOL_MISMATCH', `No: ${name}`, { hint: 'stack restart' }) };
    });
    const result = { names: ['one', 'two'], failures, members: {}, text: '', primary: '' };
    const { context, err } = contextOf();
    await expect(answerForStacks(result, context)).rejects.toMatchObject({ exitCode: 10 });
    expect(err()).toBe('✗ No: one\n  stack restart -s one\n✗ No: two\n  stack restart -s two\n');
    const inJson = contextOf(true);
    await expect(answerForStacks(result, inJson.context)).rejects.toMatchObject({ exitCode: 10 });
    expect(JSON.parse(inJson.out())).toMatchObject({ error: { hint: 'stack restart -s one' } });
  });

  it('fails as before if it is the only one', async () => {
    const { context, err } = contextOf();
    await expect(stopMany({ ...flags, names: ['nosuch'] }, context)).rejects.toMatchObject({
      code: 'STACK_NOT_FOUND',
    });
    expect(err()).toBe('');
  });

  it('removes the others of one whose snapshots cannot be exported', async () => {
    const { context, out } = contextOf();
    const { layout } = await locateStack(place, 'one');
    mkdirSync(join(layout.snapshots, 'broken'), { recursive: true });
    const removal = { yes: true, 'no-input': true, force: false, 'keep-snapshots': true, all: false };
    const removing = removeMany({ ...removal, names: ['one', 'two'] }, context);
    await expect(removing).rejects.toMatchObject({ isPrinted: true });
    expect(out()).toBe('✓ two removed\n');
    expect((await listStacks(place)).map(({ name }) => name)).toEqual(['one']);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseStack, openRunningStack, openStack, openTarget } from '../../../../src/cli/requests/target.js';
import { rebuildOne } from '../../../../src/cli/party/rebuild.js';
import { restoreOne } from '../../../../src/cli/snapshots/restore.js';
import { removeOne } from '../../../../src/cli/snapshots/snapshots.js';
import { removeMany, resetOne, stopMany } from '../../../../src/cli/stack/ending/ending.js';
import { createStack } from '../../../../src/stack/create.js';
import { forgetDefinition, keepDefinition } from '../../../../src/stack/definition/applied-definition.js';
import { placeFrom } from '../../../../src/stack/layout.js';
import { listStacks } from '../../../../src/stack/places/list.js';
import { loadStack } from '../../../../src/stack/places/locate.js';
import { changeRegistry } from '../../../../src/stack/places/registry.js';
import { writeJsonFile } from '../../../../src/supervisor/files/json-file.js';
import { memoryOutput } from '../memory-output.js';

const folder = mkdtempSync(join(tmpdir(), 'parley-target-'));
const environment = { STACK_HOME: folder, XDG_RUNTIME_DIR: folder };
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('a stack that is stopped', () => {
  it('is reported as stopped, with the command that starts it, although it keeps its ports', async () => {
    const place = placeFrom(environment);
    await createStack(place, { name: 'dev', parties: ['alice', 'bob'], workingDirectory: folder });
    const { layout } = await loadStack(place, 'dev');
    await writeJsonFile(layout.ports, { base: 1, chain: 1, store: 2, parties: { alice: 3, bob: 4 } });
    const { output } = memoryOutput();
    await expect(openTarget({}, { output, environment, program: 'parley' })).rejects.toMatchObject({
      code: 'NOT_RUNNING',
      message: 'dev is not running.',
      hint: 'Start it: parley start dev',
    });
  });
});

describe('a stack whose definition was broken since its start', () => {
  it('is used with the settings of its start, and a note; it is not started or changed', async () => {
    const home = { STACK_HOME: join(folder, 'broken'), XDG_RUNTIME_DIR: folder };
    const place = placeFrom(home);
    const { configPath } = await createStack(place, { name: 'dev', parties: ['alice'], workingDirectory: folder });
    const { output, err } = memoryOutput();
    const context = { output, environment: home, program: 'stack' };
    const { layout } = await loadStack(place, 'dev');
    const whole = readFileSync(configPath, 'utf8');
    writeFileSync(configPath, 'parties: [');
    await expect(openRunningStack({}, context)).rejects.toMatchObject({ code: 'STACK_FILE_INVALID' });
    writeFileSync(configPath, whole);
    await keepDefinition(layout, configPath);
    writeFileSync(configPath, 'parties: [');
    expect((await openRunningStack({}, context)).settings.parties).toMatchObject([{ name: 'alice' }]);
    expect(err()).toContain(`${configPath}:1:`);
    await expect(openStack({}, context)).rejects.toMatchObject({ code: 'STACK_FILE_INVALID' });
    rmSync(configPath);
    expect((await openRunningStack({}, context)).settings.parties).toHaveLength(1);
    await forgetDefinition(layout);
    await expect(openRunningStack({}, context)).rejects.toMatchObject({ code: 'STACK_NOT_FOUND' });
  });
});

describe('a stack that is not named', () => {
  const home = { STACK_HOME: join(folder, 'several'), XDG_RUNTIME_DIR: folder };
  const contextOf = (environment: Readonly<Record<string, string>>) => {
    const { output, err } = memoryOutput();
    return { context: { output, environment, program: 'stack' }, err };
  };
  beforeAll(async () => {
    const place = placeFrom(home);
    await createStack(place, { name: 'one', parties: ['alice'], workingDirectory: folder });
    await createStack(place, { name: 'two', parties: ['alice'], workingDirectory: folder });
    await changeRegistry(place, (registry) => ({
      ...registry,
      ...(registry['two'] !== undefined && { two: { ...registry['two'], startedAt: '2026-01-01T00:00:00Z' } }),
    }));
  });

  it('is the stack that was started last, but is not removed without a question', async () => {
    const { context, err } = contextOf(home);
    await expect(chooseStack({}, context)).resolves.toBe('two');
    await expect(chooseStack({}, context)).resolves.toBe('two');
    expect(err()).toBe('Using two, the stack that was started last.\n');
    const flags = { names: [], all: false, force: false, 'keep-snapshots': false, yes: true, 'no-input': false };
    await expect(removeMany(flags, context)).rejects.toMatchObject({
      exitCode: 2,
      hint: 'For example: stack remove -s two --yes',
    });
    await expect(removeMany({ ...flags, yes: false }, context)).rejects.toMatchObject({
      exitCode: 2,
      hint: 'Add --yes: stack remove two --yes',
    });
    const isYes = { yes: true, 'no-input': false, progress: 'none', timeout: '1s', 'no-restart': false } as const;
    const refused = (command: string) => ({ exitCode: 2, hint: `For example: stack ${command} -s two --yes` });
    await expect(resetOne({ ...isYes, 'dry-run': false }, context)).rejects.toMatchObject(refused('reset'));
    await expect(restoreOne('s1', isYes, context)).rejects.toMatchObject(refused('snapshot restore s1'));
    await expect(removeOne('s1', isYes, context)).rejects.toMatchObject(refused('snapshot remove s1'));
    await expect(rebuildOne({ ...isYes, party: 'alice' }, context)).rejects.toMatchObject(
      refused('node rebuild alice'),
    );
    expect((await listStacks(placeFrom(home))).map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('does not contradict another word, and no stack is removed or stopped then', async () => {
    const { context } = contextOf(home);
    const flags = { names: [], all: false, force: false, 'keep-snapshots': false, yes: true, 'no-input': false };
    await expect(removeMany({ ...flags, stack: 'one', all: true }, context)).rejects.toMatchObject({
      exitCode: 2,
      message: '--all and --stack exclude each other.',
    });
    await expect(removeMany({ ...flags, stack: 'one', names: ['two'] }, context)).rejects.toMatchObject({
      exitCode: 2,
      message: 'Two stacks are named: one and two.',
    });
    const stop = { party: undefined, timeout: '1s', stack: 'one', names: ['one', 'two'], all: false };
    await expect(stopMany(stop, context)).rejects.toMatchObject({ exitCode: 2 });
    expect((await listStacks(placeFrom(home))).map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('has no empty name, as from a variable that is not set', async () => {
    const { context } = contextOf(home);
    const refused = { exitCode: 2, message: 'The name of the stack is empty.' };
    await expect(chooseStack({ stack: '' }, context)).rejects.toMatchObject(refused);
    await expect(chooseStack({ name: '' }, context)).rejects.toMatchObject(refused);
    await expect(openTarget({ ns: '', stack: 'one' }, context)).rejects.toMatchObject({
      exitCode: 2,
      message: 'The namespace of --ns is empty.',
    });
    const flags = { all: false, force: false, 'keep-snapshots': false, yes: true, 'no-input': false };
    await expect(removeMany({ ...flags, names: [''] }, context)).rejects.toMatchObject(refused);
    await expect(removeMany({ ...flags, names: [], stack: '', all: true }, context)).rejects.toMatchObject(refused);
  });

  it('is removed once if it is named twice', async () => {
    const place = placeFrom(home);
    await createStack(place, { name: 'three', parties: ['alice'], workingDirectory: folder });
    const { context } = contextOf(home);
    const flags = { all: false, force: false, 'keep-snapshots': false, yes: true, 'no-input': false };
    await removeMany({ ...flags, names: ['three', 'three'] }, context);
    expect((await listStacks(place)).map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('is not a stack if STACK_URL selects a node', async () => {
    const { context } = contextOf({ ...home, STACK_URL: 'http://127.0.0.1:1' });
    await expect(chooseStack({}, context)).rejects.toMatchObject({ exitCode: 2 });
    await expect(chooseStack({ name: 'one' }, context)).resolves.toBe('one');
  });
});

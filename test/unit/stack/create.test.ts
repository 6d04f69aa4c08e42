import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEphemeral } from '../../../src/stack/cleaning/ephemeral.js';
import { createStack, partyNames } from '../../../src/stack/create.js';
import { stackDirectory, type Place } from '../../../src/stack/layout.js';
import { listStacks } from '../../../src/stack/places/list.js';
import { loadStack, locateStack, selectStack } from '../../../src/stack/places/locate.js';
import { changeRegistry, readRegistry, without } from '../../../src/stack/places/registry.js';
import { removeStack } from '../../../src/stack/remove.js';
import { stackStatus } from '../../../src/stack/status.js';
import { aDefinition, aPlace } from './fixtures/place.js';

const workingDirectory = '/';

describe('Creating a stack', () => {
  test('says what is wrong with what was typed, and names no file that nobody has seen', async () => {
    const wrong = (path: string[], value: string) =>
      createStack(aPlace(), { name: 'dev', settings: [{ path, value }], workingDirectory });
    const unknown = wrong(['lgos', 'level'], 'debug');
    await expect(unknown).rejects.toMatchObject({ code: 'STACK_FILE_INVALID', hint: expect.stringContaining('--set') });
    await expect(unknown).rejects.toThrow(/^The stack cannot be made: The key lgos is unknown.*"logs"/);
    await expect(wrong(['bind'], '0.0.0.0')).rejects.toMatchObject({
      code: 'BIND_REFUSED',
      hint: expect.stringContaining('--set auth.enabled=true'),
    });
    const settings = [
      { path: ['bind'], value: '0.0.0.0' },
      { path: ['auth', 'enabled'], value: 'true' },
    ];
    const published = createStack(aPlace(), { name: 'dev', template: 'ci', settings, workingDirectory });
    await expect(published).rejects.toMatchObject({
      code: 'BIND_REFUSED',
      hint: expect.stringContaining('--set keys.source=random'),
    });
    const parties = createStack(aPlace(), { name: 'dev', parties: ['chain'], workingDirectory });
    await expect(parties).rejects.toThrow(
      'The stack cannot be made: A party cannot be called chain: the name is reserved.',
    );
  });

  test('says that a template which is not there is of the defaults of the user, where nobody typed it', async () => {
    const place = aPlace();
    await mkdir(dirname(place.configFile), { recursive: true });
    await writeFile(place.configFile, 'template: mine\n');
    const hint = `${place.configFile} names it. To change that: stack config set --user template=default`;
    const refused = { code: 'TEMPLATE_NOT_FOUND', hint };
    await expect(createStack(place, { name: 'dev', workingDirectory })).rejects.toMatchObject(refused);
    await expect(createEphemeral(place, { workingDirectory })).rejects.toMatchObject(refused);
    await expect(createStack(place, { name: 'dev', template: 'mine', workingDirectory })).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_FOUND',
      hint: expect.stringContaining('stack template list'),
    });
  });

  test('says that the defaults of the user are in a file', async () => {
    const place = aPlace();
    await mkdir(place.configFile, { recursive: true });
    await expect(createStack(place, { name: 'dev', workingDirectory })).rejects.toMatchObject({
      code: 'STACK_FILE_INVALID',
      message: `${place.configFile}:1:1: It must be a file, not a directory.`,
    });
  });

  test.each(['minimal', 'default', 'tokens', 'ci'])(
    'from the template %s makes a definition that is valid',
    async (template) => {
      const place = aPlace();
      const result = await createStack(place, { name: 'dev', template, workingDirectory });
      expect(result).toMatchObject({ name: 'dev', template: `${template}@1`, created: true });
      const { settings } = await loadStack(place, 'dev');
      expect(settings.parties.map(({ name }) => name)).toEqual(result.parties);
    },
  );

  test('writes files that only their owner can read, the definition among them', async () => {
    const [place, project] = [aPlace(), aPlace().home];
    await mkdir(project, { recursive: true });
    await createStack(place, { name: 'dev', workingDirectory });
    await createStack(place, { name: 'here', here: true, workingDirectory: project });
    const files = [join(stackDirectory(place, 'dev'), 'stack.yaml'), join(project, 'stack.yaml')];
    for (const file of [...files, join(stackDirectory(place, 'here'), 'project.link')]) {
      expect([file, (await stat(file)).mode & 0o777]).toEqual([file, 0o600]);
    }
  });

  test('takes its parties and settings into the definition', async () => {
    const place = aPlace();
    const settings = [
      { path: ['logs', 'level'], value: 'debug' },
      { path: ['ports', 'base'], value: '20000' },
    ];
    await createStack(place, { name: 'dev', parties: ['dave', 'erin'], settings, workingDirectory });
    const stack = await loadStack(place, 'dev');
    expect(stack.settings.parties.map(({ name }) => name)).toEqual(['dave', 'erin']);
    expect([stack.settings.logs.level, stack.settings.ports.base]).toEqual(['debug', 20_000]);
  });

  test('is written as people write YAML, in quotes only where they matter', async () => {
    const place = aPlace();
    await createStack(place, { name: 'null', parties: ['alice', 'true'], workingDirectory });
    const { definitionFile } = await loadStack(place, 'null');
    const lines = await readFile(definitionFile, 'utf8');
    expect(lines).toContain('\nname: "null"\n');
    expect(lines).toContain('\nparties: [alice, "true"]');
  });

  test('of a name that exists is a conflict, or success when that is what is wanted', async () => {
    const place = aPlace();
    await createStack(place, { name: 'dev', workingDirectory });
    await expect(createStack(place, { name: 'dev', workingDirectory })).rejects.toMatchObject({
      code: 'NAME_EXISTS',
      exitCode: 10,
    });
    expect(await createStack(place, { name: 'dev', ifMissing: true, workingDirectory })).toMatchObject({
      created: false,
    });
  });

  test('that the list has lost is named as such, and listed again on demand', async () => {
    const place = aPlace();
    const { dir } = await createStack(place, { name: 'dev', workingDirectory });
    await changeRegistry(place, (registry) => without(registry, 'dev'));
    await expect(createStack(place, { name: 'dev', workingDirectory })).rejects.toMatchObject({
      code: 'NAME_EXISTS',
      hint: expect.stringContaining('stack init dev --if-missing') as string,
    });
    await createStack(place, { name: 'dev', ifMissing: true, workingDirectory });
    expect(await readRegistry(place)).toMatchObject({ dev: { directory: dir } });
  });

  test('leaves nothing when it fails, and removes what a killed one left', async () => {
    const place = aPlace();
    const directory = dirname(stackDirectory(place, 'dev'));
    const settings = [{ path: ['portz'], value: '1' }];
    await expect(createStack(place, { name: 'dev', settings, workingDirectory })).rejects.toMatchObject({
      code: 'STACK_FILE_INVALID',
    });
    expect(await readRegistry(place)).toEqual({});
    await mkdir(join(directory, '.init-killed'), { recursive: true });
    await createStack(place, { name: 'dev', workingDirectory });
    expect(await readdir(directory)).toEqual(['dev']);
  });

  test('writes nothing when it is only tried', async () => {
    const place = aPlace();
    expect(await createStack(place, { dryRun: true, workingDirectory })).toMatchObject({ name: 'dev', created: false });
    expect(await readRegistry(place)).toEqual({});
  });

  test.each(['Dev', '../dev', '', '1dev', 'a'.repeat(33)])('under the name %j is refused', async (name) => {
    await expect(createStack(aPlace(), { name, workingDirectory })).rejects.toMatchObject({ code: 'NAME_INVALID' });
  });

  test.each(['nothing', '../minimal', 'a/b'])(
    'from the template %j, which is not there, is refused',
    async (template) => {
      await expect(createStack(aPlace(), { template, workingDirectory })).rejects.toMatchObject({
        code: 'TEMPLATE_NOT_FOUND',
        exitCode: 3,
      });
    },
  );

  test('in a project puts the definition there and the state elsewhere', async () => {
    const { place, project } = await aProject();
    const result = await createStack(place, { name: 'dev', here: true, workingDirectory: project });
    expect(result.configPath).toBe(join(project, 'stack.yaml'));
    expect(await readdir(project)).toEqual(['stack.yaml']);
    expect((await stat(stackDirectory(place, 'dev'))).mode & 0o777).toBe(0o700);
  });

  test('in two checkouts of one project makes two, each found from its own directory', async () => {
    const { place, project } = await aProject();
    const second = join(dirname(project), 'second');
    await mkdir(second);
    for (const directory of [project, second]) {
      await writeFile(join(directory, 'stack.yaml'), `${aDefinition()}\ntemplate: minimal@1\n`);
      await createStack(place, { name: 'dev', here: true, workingDirectory: directory });
    }
    const registry = await readRegistry(place);
    expect(Object.values(registry).map(({ template }) => template)).toEqual(['minimal@1', 'minimal@1']);
    const names = Object.keys(registry);
    expect(names).toEqual(['dev', expect.stringMatching(/^dev-[0-9a-f]{4}$/)]);
    const [found] = await Promise.all([selectStack(place, { given: undefined, workingDirectory: second })]);
    expect(found).toEqual({ from: 'project', name: names[1] });
  });

  test('in a project that has one is that one, by the name in its definition, and has no second name', async () => {
    const { place, project } = await aProject();
    await createStack(place, { name: 'shop', here: true, workingDirectory: project });
    const again = { here: true, workingDirectory: project };
    for (const request of [again, { ...again, name: 'other' }]) {
      await expect(createStack(place, request)).rejects.toMatchObject({
        code: 'NAME_EXISTS',
        details: { name: 'shop' },
      });
      const found = await createStack(place, { ...request, ifMissing: true });
      expect(found).toMatchObject({ name: 'shop', created: false, existed: true });
    }
    expect(Object.keys(await readRegistry(place))).toEqual(['shop']);
  });

  test('of a checked-out definition has its name and parties, and no others beside them', async () => {
    const { place, project } = await aProject();
    await writeFile(join(project, 'stack.yaml'), aDefinition());
    const request = { here: true, workingDirectory: project };
    for (const more of [
      { parties: ['zoe'] },
      { template: 'minimal' },
      { settings: [{ path: ['bind'], value: '::1' }] },
    ]) {
      await expect(createStack(place, { ...request, ...more })).rejects.toMatchObject({ code: 'NAME_EXISTS' });
    }
    expect(await createStack(place, request)).toMatchObject({ name: 'dev', created: true, existed: false });
  });

  test('of another tool is not ours: its file is neither used nor replaced', async () => {
    const { place, project } = await aProject();
    await writeFile(join(project, 'stack.yaml'), 'resolver: lts-22.0\n');
    await expect(createStack(place, { name: 'dev', here: true, workingDirectory: project })).rejects.toMatchObject({
      code: 'NAME_EXISTS',
    });
    expect(await readFile(join(project, 'stack.yaml'), 'utf8')).toBe('resolver: lts-22.0\n');
    expect(await readRegistry(place)).toEqual({});
  });
});

describe('Which stack is meant', () => {
  test('is not a party: the refusal names its stack, unless several have a party of that name', async () => {
    const place = aPlace();
    await createStack(place, { name: 'dev', parties: ['alice', 'bob'], workingDirectory });
    const refusal = { code: 'STACK_NOT_FOUND', message: 'bob is a party of dev, not a stack.' };
    await expect(locateStack(place, 'bob')).rejects.toMatchObject({
      ...refusal,
      hint: expect.stringMatching(/party .*stop.* bob$/),
    });
    await createStack(place, { name: 'test', parties: ['bob'], workingDirectory });
    await expect(locateStack(place, 'bob')).rejects.toThrow(/^There is no stack bob/);
  });

  test('is not a service, unless a stack has its name', async () => {
    const place = aPlace();
    await expect(locateStack(place, 'store')).rejects.toThrow(/^There is no stack store/);
    await createStack(place, { name: 'dev', workingDirectory });
    await expect(locateStack(place, 'store')).rejects.toMatchObject({
      message: 'store is a service of a stack, not a stack.',
      hint: 'For one service: stack restart -p store, or stack stop -p store',
    });
    await createStack(place, { name: 'store', workingDirectory });
    expect((await locateStack(place, 'store')).name).toBe('store');
  });

  test('is the one given, else the only one, else nobody knows', async () => {
    const place = aPlace();
    const select = (given?: string) => selectStack(place, { given, workingDirectory });
    await expect(select()).rejects.toMatchObject({ code: 'NOT_SELECTED', hint: 'Make one: stack init' });
    await createStack(place, { name: 'dev', workingDirectory });
    expect(await select()).toEqual({ from: 'only', name: 'dev' });
    await createStack(place, { name: 'test', workingDirectory });
    await expect(select()).rejects.toMatchObject({ code: 'NOT_SELECTED' });
    expect(await select('test')).toEqual({ from: 'given', name: 'test' });
    await expect(locateStack(place, 'tset')).rejects.toMatchObject({ code: 'STACK_NOT_FOUND', exitCode: 3 });
  });
});

describe('A stack that has never been started', () => {
  test('is listed and shown as stopped, and can be removed', async () => {
    const place = aPlace();
    await createStack(place, { name: 'dev', template: 'minimal', workingDirectory });
    expect(await listStacks(place)).toMatchObject([{ name: 'dev', state: 'stopped', parties: ['alice', 'bob'] }]);
    const status = await stackStatus(await loadStack(place, 'dev'));
    expect(status.services.map(({ name, state }) => [name, state])).toEqual([
      ['chain', 'stopped'],
      ['store', 'stopped'],
      ['alice', 'stopped'],
      ['bob', 'stopped'],
    ]);
    expect(await removeStack(await locateStack(place, 'dev'))).toEqual({ removed: ['dev'], leftovers: [], kept: [] });
    expect(await listStacks(place)).toEqual([]);
  });

  test('can be removed when its definition cannot be read', async () => {
    const place = aPlace();
    const { configPath } = await createStack(place, { name: 'dev', workingDirectory });
    await writeFile(configPath, 'a: [');
    await expect(loadStack(place, 'dev')).rejects.toMatchObject({ code: 'STACK_FILE_INVALID' });
    expect(await listStacks(place)).toMatchObject([{ name: 'dev', parties: null }]);
    expect(await removeStack(await locateStack(place, 'dev'))).toEqual({ removed: ['dev'], leftovers: [], kept: [] });
  });
});

describe('Party names', () => {
  test('come from a number or a list', () => {
    expect(partyNames('3')).toEqual(['alice', 'bob', 'carol']);
    expect(partyNames('12').slice(9)).toEqual(['judy', 'party-11', 'party-12']);
    expect(partyNames('alice, bob')).toEqual(['alice', 'bob']);
  });

  test.each(['0', '41', 'Alice', 'a,,b', '', 'alice,alice'])('are refused when they are %j', (text) => {
    expect(() => partyNames(text)).toThrow(expect.objectContaining({ code: 'NAME_INVALID' }));
  });
});

async function aProject(): Promise<{ place: Place; project: string }> {
  const place = aPlace();
  const project = join(dirname(place.home), 'project');
  await mkdir(project);
  return { place, project };
}

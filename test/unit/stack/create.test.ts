import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
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
  test('reports an invalid flag by the flag, not by the file that it would write', async () => {
    const wrong = (path: string[], value: string) =>
      createStack(aPlace(), { name: 'dev', settings: [{ path, value }], workingDirectory });
    const unknown = wrong(['lgos', 'level'], 'debug');
    await expect(unknown).rejects.toMatchObject({ code: 'STACK_FILE_INVALID', hint: expect.stringContaining('--set') });
    await expect(unknown).rejects.toThrow(/^The stack cannot be created: The key lgos is unknown.*"logs"/);
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
      'The stack cannot be created: A party cannot be called chain: the name is reserved.',
    );
  });

  test('names the defaults of the user if they have the missing template', async () => {
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

  test('refuses a directory in place of the defaults of the user', async () => {
    const place = aPlace();
    await mkdir(place.configFile, { recursive: true });
    await expect(createStack(place, { name: 'dev', workingDirectory })).rejects.toMatchObject({
      code: 'STACK_FILE_INVALID',
      message: `${place.configFile}:1:1: It must be a file, not a directory.`,
    });
  });

  test.each(['minimal', 'default', 'tokens', 'ci'])(
    'from the template %s makes a valid definition',
    async (template) => {
      const place = aPlace();
      const result = await createStack(place, { name: 'dev', template, workingDirectory });
      expect(result).toMatchObject({ name: 'dev', template: `${template}@1`, created: true });
      const { settings } = await loadStack(place, 'dev');
      expect(settings.parties.map(({ name }) => name)).toEqual(result.parties);
    },
  );

  test('writes private files', async () => {
    const [place, project] = [aPlace(), aPlace().home];
    await mkdir(project, { recursive: true });
    await createStack(place, { name: 'dev', workingDirectory });
    await createStack(place, { name: 'here', here: true, workingDirectory: project });
    const files = [join(stackDirectory(place, 'dev'), 'stack.yaml'), join(project, 'stack.yaml')];
    for (const file of [...files, join(stackDirectory(place, 'here'), 'project.link')]) {
      expect([file, (await stat(file)).mode & 0o777]).toEqual([file, 0o600]);
    }
  });

  test('writes its parties and settings into the definition', async () => {
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

  test('writes a definition with quotes only where they are needed', async () => {
    const place = aPlace();
    await createStack(place, { name: 'null', parties: ['alice', 'true'], workingDirectory });
    const { definitionFile } = await loadStack(place, 'null');
    const lines = await readFile(definitionFile, 'utf8');
    expect(lines).toContain('\nname: "null"\n');
    expect(lines).toContain('\nparties: [alice, "true"]');
  });

  test('refuses a name that exists, or accepts it with ifMissing', async () => {
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

  test('finds a stack that the registry has lost, and lists it again with ifMissing', async () => {
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

  test('leaves nothing when it fails, and removes the rest of a killed command', async () => {
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

  test('writes nothing in a dry run', async () => {
    const place = aPlace();
    expect(await createStack(place, { dryRun: true, workingDirectory })).toMatchObject({ name: 'dev', created: false });
    expect(await readRegistry(place)).toEqual({});
  });

  test.each(['Dev', '../dev', '', '1dev', 'a'.repeat(33)])('refuses the name %j', async (name) => {
    await expect(createStack(aPlace(), { name, workingDirectory })).rejects.toMatchObject({ code: 'NAME_INVALID' });
  });

  test.each(['nothing', '../minimal', 'a/b'])('refuses the unknown template %j', async (template) => {
    await expect(createStack(aPlace(), { template, workingDirectory })).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_FOUND',
      exitCode: 3,
    });
  });

  test('in a project puts only the definition there', async () => {
    const { place, project } = await aProject();
    const result = await createStack(place, { name: 'dev', here: true, workingDirectory: project });
    expect(result.configPath).toBe(join(project, 'stack.yaml'));
    expect(await readdir(project)).toEqual(['stack.yaml']);
    const [, schema = ''] =
      /^# yaml-language-server: \$schema=(.+)\n/.exec(await readFile(result.configPath, 'utf8')) ?? [];
    expect(isAbsolute(schema)).toBe(false);
    expect(JSON.parse(await readFile(join(project, schema), 'utf8'))).toMatchObject({ title: 'stack.yaml' });
    expect((await stat(stackDirectory(place, 'dev'))).mode & 0o777).toBe(0o700);
  });

  test('in two checkouts of a project makes two stacks, each selected in its directory', async () => {
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
    expect(await selectStack(place, { given: undefined, workingDirectory: () => second })).toEqual({
      from: 'project',
      name: names[1],
    });
  });

  test('in a project that has a stack refuses a second one, under any name', async () => {
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

  test('from a checked-out definition refuses other parties, settings and templates', async () => {
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

  test('uses a checked-out definition that begins with a byte order mark', async () => {
    const { place, project } = await aProject();
    await writeFile(join(project, 'stack.yaml'), `\uFEFF${aDefinition()}`);
    expect(await createStack(place, { here: true, workingDirectory: project })).toMatchObject({ created: true });
  });

  test('refuses to use or replace a stack.yaml of another tool', async () => {
    const { place, project } = await aProject();
    await writeFile(join(project, 'stack.yaml'), 'resolver: lts-22.0\n');
    await expect(createStack(place, { name: 'dev', here: true, workingDirectory: project })).rejects.toMatchObject({
      code: 'NAME_EXISTS',
    });
    expect(await readFile(join(project, 'stack.yaml'), 'utf8')).toBe('resolver: lts-22.0\n');
    expect(await readRegistry(place)).toEqual({});
  });
});

describe('Selecting a stack', () => {
  test('refuses the name of a party, and names its stack unless there are several', async () => {
    const place = aPlace();
    await createStack(place, { name: 'dev', parties: ['alice', 'bob'], workingDirectory });
    const refusal = { code: 'STACK_NOT_FOUND', message: 'bob is a party of dev, not a stack.' };
    await expect(locateStack(place, 'bob')).rejects.toMatchObject({
      ...refusal,
      hint: expect.stringContaining('stack party stop bob -s dev '),
    });
    await createStack(place, { name: 'test', parties: ['bob'], workingDirectory });
    await expect(locateStack(place, 'bob')).rejects.toThrow(/^There is no stack bob/);
  });

  test('refuses the name of a service, unless a stack has it', async () => {
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

  test('selects the given stack, else the only one, else fails', async () => {
    const place = aPlace();
    const select = (given?: string) => selectStack(place, { given, workingDirectory: () => workingDirectory });
    await expect(select()).rejects.toMatchObject({ code: 'NOT_SELECTED', hint: 'Create one: stack init' });
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

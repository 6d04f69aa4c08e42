import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  changeSettings,
  changeUserSettings,
  describeSettings,
  validateFile,
  validateStack,
} from '../../../../src/stack/definition/configure.js';
import { createStack } from '../../../../src/stack/create.js';
import type { Place } from '../../../../src/stack/layout.js';
import { loadStack, locateStack } from '../../../../src/stack/places/locate.js';
import { aPlace } from '../fixtures/place.js';

const setting = (path: string, value: string) => ({ path: path.split('.'), value });

async function aStack(place: Place) {
  await createStack(place, { name: 'dev', template: 'minimal', workingDirectory: '/' });
  return locateStack(place, 'dev');
}

async function userFile(place: Place, text: string): Promise<void> {
  await mkdir(dirname(place.configFile), { recursive: true });
  await writeFile(place.configFile, text);
}

describe('The settings of a stack', () => {
  test('are shown with their file and line; those of the stack override those of the user', async () => {
    const place = aPlace();
    const stack = await aStack(place);
    await changeSettings(stack, [setting('logs.level', 'warn')]);
    await userFile(place, 'template: ci\nlogs: {level: debug,\n  maxFiles: 9}\n');
    const rows = await describeSettings(stack, { all: true });
    const row = (name: string) => rows.find((each) => each.setting === name);
    expect(row('logs.level')).toMatchObject({ value: 'warn', from: 'stack.yaml', file: stack.definitionFile });
    expect(row('logs.maxFiles')).toMatchObject({ value: 9, from: 'config.yaml', file: place.configFile, line: 3 });
    expect(row('logs.maxBytes')).toMatchObject({ value: 20_971_520, from: 'default', file: null, line: null });
    expect(row('template')).toMatchObject({ value: 'minimal@1', from: 'stack.yaml' });
    expect((await describeSettings(stack, { all: false })).map(({ from }) => from)).not.toContain('default');
    expect((await loadStack(place, 'dev')).settings.logs).toEqual({ level: 'warn', maxBytes: 20_971_520, maxFiles: 9 });
  });

  test('are shown without defaults that do not apply to an external chain', async () => {
    const place = aPlace();
    const stack = await aStack(place);
    const chain = 'chain: {provider: url, url: "http://127.0.0.1:8545"}';
    await writeFile(stack.definitionFile, `apiVersion: stack/v1\nname: dev\nparties: [alice]\n${chain}\n`);
    const rows = await describeSettings(stack, { all: true });
    const shown = rows.filter((row) => /^(chain|accounts)\./.test(row.setting)).map((row) => [row.setting, row.value]);
    expect(shown).toEqual([
      ['chain.provider', 'url'],
      ['chain.url', 'http://127.0.0.1:8545'],
      ['chain.confirmations', 3],
      ['accounts.spare', 0],
    ]);
  });

  test('are changed in place; comments, file mode and a symbolic link stay', async () => {
    const place = aPlace();
    const stack = await aStack(place);
    const elsewhere = join(place.home, 'mine.yaml');
    const text = `${await readFile(stack.definitionFile, 'utf8')}# the end\n`;
    await writeFile(elsewhere, text);
    await chmod(elsewhere, 0o640);
    const linked = { ...stack, definitionFile: join(place.home, 'stack.yaml') };
    await symlink(elsewhere, linked.definitionFile);
    const { file } = await changeSettings(linked, [setting('accounts.spare', '2'), setting('logs.level', 'debug')]);
    expect(file).toBe(linked.definitionFile);
    expect(await readFile(elsewhere, 'utf8')).toBe(
      text.replace('# the end\n', 'accounts: {spare: 2}\nlogs: {level: debug}\n# the end\n'),
    );
    expect((await stat(elsewhere)).mode & 0o777).toBe(0o640);
  });

  test.each([
    ['logs.levle', 'debug', 'did you mean "level"'],
    ['logs.level', 'loud', 'logs.level must be debug'],
    ['parties', '[alice, alice]', 'Two parties have the name alice'],
    ['name', 'other', 'name of a stack cannot be changed'],
    ['logs', '[', 'is not valid YAML'],
    ['runtime', 'podman', 'runtime must be process or docker'],
    ['bind', '0.0.0.0', 'requires auth'],
  ])('are not changed if %s = %s is invalid', async (path, value, message) => {
    const stack = await aStack(aPlace());
    const before = await readFile(stack.definitionFile, 'utf8');
    await expect(changeSettings(stack, [setting(path, value)])).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(message) as string,
    });
    expect(await readFile(stack.definitionFile, 'utf8')).toBe(before);
  });

  test('of the user are created if they are missing, and belong to no network', async () => {
    const place = aPlace();
    const change = (path: string, value: string) => changeUserSettings(place, [setting(path, value)], '/');
    await changeUserSettings(place, [setting('logs.level', 'debug'), setting('template', 'ci')], '/');
    expect(await readFile(place.configFile, 'utf8')).toContain('template: ci');
    const stack = await createStack(place, { name: 'dev', workingDirectory: '/' });
    expect(stack.template).toBe('ci@1');
    await expect(change('parties', '[a]')).rejects.toThrow('parties belongs in the stack.yaml');
    await expect(change('templte', 'ci')).rejects.toThrow('did you mean');
    await expect(change('namespace', 'x y')).rejects.toThrow('namespace must be a namespace name');
  });

  test('are not changed in a file that is not YAML, and the error names the line', async () => {
    const place = aPlace();
    await userFile(place, 'color: true\nlogs: [\n');
    await expect(changeUserSettings(place, [setting('template', 'ci')], '/')).rejects.toMatchObject({
      code: 'STACK_FILE_INVALID',
      message: expect.stringMatching(/config\.yaml:3:1: /) as string,
    });
  });

  test('are not found in a missing file', async () => {
    await expect(validateFile('/nowhere/stack.yaml')).rejects.toMatchObject({
      code: 'STACK_NOT_FOUND',
      message: 'There is no file /nowhere/stack.yaml.',
    });
  });

  test('of the user may only name a template that exists', async () => {
    const place = aPlace();
    await changeUserSettings(place, [setting('template', 'ci')], '/');
    const wrong = changeUserSettings(place, [setting('template', 'tokenz')], '/');
    await expect(wrong).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_FOUND',
      message: expect.stringContaining('did you mean "tokens"') as string,
    });
    expect(await readFile(place.configFile, 'utf8')).toContain('template: ci');
    const removed = changeUserSettings(place, [setting('template', './removed')], '/');
    await expect(removed).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
    await writeFile(place.configFile, 'template: removed\n');
    await changeUserSettings(place, [setting('logs.level', 'debug')], '/');
    expect(await readFile(place.configFile, 'utf8')).toContain('level: debug');
  });

  test('are refused with the place of every problem, also in those of the user', async () => {
    const place = aPlace();
    const stack = await aStack(place);
    await writeFile(
      stack.definitionFile,
      'apiVersion: stack/v1\nname: dev\nparties: [alice]\nlogz: 1\nlogs:\n  level: 5\n',
    );
    await expect(validateStack(stack)).rejects.toMatchObject({
      problems: [
        { line: 4, column: 1 },
        { line: 6, column: 10 },
      ],
    });
    await writeFile(
      stack.definitionFile,
      'apiVersion: stack/v1\nname: dev\nparties: [alice]\nseed: [stack.yaml, x.yaml]\n',
    );
    await expect(validateStack(stack)).rejects.toMatchObject({
      problems: [{ line: 4, column: 20, message: expect.stringContaining('no file x.yaml') as string }],
    });
    await userFile(place, 'color: maybe\n');
    await expect(validateStack(stack)).rejects.toMatchObject({
      file: place.configFile,
      problems: [{ line: 1, column: 8 }],
    });
  });
});

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseDocument } from 'yaml';
import { describe, expect, test } from 'vitest';
import { createStack } from '../../../../src/stack/create.js';
import { packageFile, type Place } from '../../../../src/stack/layout.js';
import { loadStack } from '../../../../src/stack/places/locate.js';
import { renderTemplate } from '../../../../src/stack/definition/render.js';
import { settingsOf } from '../../../../src/stack/definition/definition.js';
import { parseStackFile } from '../../../../src/stack/definition/stack-file.js';
import { listTemplates, readTemplate } from '../../../../src/stack/templates/template.js';
import { checkTemplate } from '../../../../src/stack/templates/template-check.js';
import { createTemplate } from '../../../../src/stack/templates/template-new.js';
import { aPlace } from '../fixtures/place.js';

const workingDirectory = '/';

async function aTemplate(place: Place, name: string, description: string, text: string): Promise<string> {
  const directory = join(place.home, 'templates', name);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'template.yaml'), `name: ${name}\nversion: 1\ndescription: Mine\n${description}`);
  await writeFile(join(directory, 'stack.yaml'), text);
  return directory;
}

const text = 'apiVersion: stack/v1\nname: ${name}\nparties: [alice]\n';

describe('A template', () => {
  const ofPackage = ['minimal', 'default', 'tokens', 'ci', 'docker', 'postgres', 'external'];
  test.each(ofPackage)('%s of the package is valid', async (name) => {
    const template = await readTemplate(aPlace(), name, workingDirectory);
    expect(() => checkTemplate(template)).not.toThrow();
    expect(template).toMatchObject({ name, version: 1 });
  });

  test.each(['default', 'tokens'])('%s has defaults in its comments', async (name) => {
    const template = await readFile(packageFile(`templates/${name}/stack.yaml`), 'utf8');
    const rendered = template.replace('${name}', 'dev').replace('${parties}', '[alice]');
    const lines = rendered.split('\n').map((line) => line.replace(/^# (?=[a-z]+: )/, ''));
    expect(lines.join('\n')).not.toBe(rendered);
    expect(parseDocument(lines.join('\n')).errors).toEqual([]);
    expect(parseStackFile(lines.join('\n'), 'f')).toEqual(parseStackFile(rendered, 'f'));
    expect(settingsOf(parse(rendered))).toEqual(parseStackFile(rendered, 'f'));
  });

  test('of the user replaces the one of the package', async () => {
    const place = aPlace();
    await aTemplate(place, 'minimal', 'parameters: {name: {title: Name}}\n', `${text}accounts: {spare: 1}\n`);
    expect((await listTemplates(place)).map(({ name, from }) => `${name} ${from}`)).toEqual([
      'ci package',
      'default package',
      'docker package',
      'external package',
      'minimal user',
      'postgres package',
      'tokens package',
    ]);
    await createStack(place, { name: 'dev', template: 'minimal', workingDirectory });
    expect((await loadStack(place, 'dev')).settings.accounts.spare).toBe(1);
  });

  test('may extend another one, and keeps its comments and parameters', async () => {
    const place = aPlace();
    await aTemplate(
      place,
      'loud',
      'extends: default\nparameters: {level: {title: Level, default: debug, enum: [debug, info]}}\n',
      'template: loud@1\nlogs: {level: ${level}}\n',
    );
    const template = await readTemplate(place, 'loud', workingDirectory);
    const rendered = renderTemplate(template, { name: 'dev', parties: ['dave'] }, []);
    expect(parseStackFile(rendered, 'f')).toMatchObject({ template: 'loud@1', logs: { level: 'debug' } });
    expect(rendered).toContain('# each with its own node');
    const set = (value: string) => renderTemplate(template, { name: 'dev' }, [{ path: ['level'], value }]);
    expect(parseStackFile(set('info'), 'f').logs.level).toBe('info');
    expect(() => set('loud')).toThrow('The parameter level must be one of "debug", "info", not "loud"');
    expect(renderTemplate(template, { name: 'dev', parties: ['dave'] }, [])).toBe(rendered);
  });

  test.each([
    ['extends: mine\n', text, 'extends itself'],
    ['extends: nowhere\n', text, 'There is no template nowhere'],
    [
      'parameters: {name: {title: N, titel: Name}}\n',
      text,
      'template.yaml:4:31: The key titel is unknown — did you mean "title"',
    ],
    ['parameters: {name: {title: Name}}\n', `${text}x: \${nmae}\n`, 'there is no parameter nmae — did you mean "name"'],
    ['parameters: {name: {title: N}, x: {title: X}}\n', `${text}accounts: {spare: \${x}}\n`, 'needs a value for x'],
    [
      'parameters: {name: {title: N}, constructor: {title: C}}\n',
      `${text}accounts: {spare: \${constructor}}\n`,
      'needs a value for constructor',
    ],
    ['parameters: {name: {title: Name}}\n', `${text}portz: 1\n`, 'stack.yaml:4:1: The key portz is unknown'],
  ])('with %j and %j is refused', async (description, stackText, message) => {
    const place = aPlace();
    await aTemplate(place, 'mine', description, stackText);
    const check = async () => checkTemplate(await readTemplate(place, 'mine', workingDirectory));
    await expect(check()).rejects.toThrow(message);
  });

  test('is refused with the nearest name if it does not exist', async () => {
    await expect(readTemplate(aPlace(), 'tokns', workingDirectory)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('did you mean "tokens"') as string,
    });
  });

  test('can be made from another, for the user or in a project, and is not overwritten', async () => {
    const place = aPlace();
    const from = await readTemplate(place, 'tokens', workingDirectory);
    const directory = await createTemplate(place, { name: 'mine', from, project: undefined });
    expect(directory).toBe(join(place.home, 'templates', 'mine'));
    const made = await readTemplate(place, 'mine', workingDirectory);
    expect(parseStackFile(checkTemplate(made), 'f')).toMatchObject({ template: 'mine@1' });
    await expect(createTemplate(place, { name: 'mine', from, project: undefined })).rejects.toMatchObject({
      exitCode: 10,
    });
    const project = join(place.home, 'project');
    expect(await createTemplate(place, { name: 'ours', from: made, project })).toBe(join(project, 'templates', 'ours'));
    expect(await readTemplate(place, './templates/ours', project)).toMatchObject({ name: 'ours', version: 1 });
    await expect(createTemplate(place, { name: '../x', from, project })).rejects.toMatchObject({ exitCode: 2 });
  });
});

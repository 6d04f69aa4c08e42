import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createStack } from '../../../../src/stack/create.js';
import { loadStack } from '../../../../src/stack/places/locate.js';
import { readTemplate } from '../../../../src/stack/templates/template.js';
import { createTemplate } from '../../../../src/stack/templates/template-new.js';
import { aDirectory } from '../../supervisor/fixtures/plans.js';
import { aPlace } from '../fixtures/place.js';

const definition = 'apiVersion: stack/v1\nname: ${name}\nparties: [alice]\nseed: [seed/first.yaml]\n';

/** A template with these files, in a new directory. */
function aTemplate(name: string, files: Readonly<Record<string, string>>, more = ''): string {
  const directory = join(aDirectory(), name);
  const description = `name: ${name}\nversion: 1\ndescription: Mine\n${more}parameters: {name: {title: Name}}\n`;
  for (const [path, text] of Object.entries({ 'template.yaml': description, 'stack.yaml': definition, ...files })) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

const seeds = { 'seed/first.yaml': '- {}', 'seed/more/plan.json': '{}', 'triggers/mine.yaml': 'mine', 'README.md': '' };

describe('The files of a template', () => {
  test('are copied beside the definition of a stack, only from the known folders', async () => {
    const place = aPlace();
    await createStack(place, { name: 'dev', template: aTemplate('shop', seeds), workingDirectory: '/' });
    const { layout } = await loadStack(place, 'dev');
    const made = ['seed', 'triggers'].flatMap((folder) =>
      readdirSync(join(layout.directory, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name),
    );
    expect(made.toSorted()).toEqual(['first.yaml', 'mine.yaml', 'plan.json']);
    expect(existsSync(join(layout.directory, 'README.md'))).toBe(false);
  });

  test('are copied into a project, and replace no file', async () => {
    const [place, project, template] = [aPlace(), aDirectory(), aTemplate('shop', seeds)];
    mkdirSync(join(project, 'triggers'));
    writeFileSync(join(project, 'triggers', 'mine.yaml'), 'another');
    const create = () => createStack(place, { template, here: true, name: 'dev', workingDirectory: project });
    await expect(create()).rejects.toMatchObject({ code: 'NAME_EXISTS', exitCode: 10 });
    expect(existsSync(join(project, 'stack.yaml'))).toBe(false);
    expect(readdirSync(join(project, 'seed'), { recursive: true })).toEqual(['more']);
    writeFileSync(join(project, 'triggers', 'mine.yaml'), 'mine');
    await create();
    expect(readFileSync(join(project, 'seed', 'first.yaml'), 'utf8')).toBe('- {}');
  });

  test('include those of the template that it extends, unless it replaces them', async () => {
    const base = aTemplate('base', seeds);
    const child = aTemplate('child', { 'seed/first.yaml': '- own' }, `extends: ${base}\n`);
    const { files } = await readTemplate(aPlace(), child, '/');
    expect(files.map(({ path }) => path).toSorted()).toEqual([
      'seed/first.yaml', 'seed/more/plan.json', 'triggers/mine.yaml',
    ]);
    expect(files.find(({ path }) => path === 'seed/first.yaml')?.source).toBe(join(child, 'seed', 'first.yaml'));
  });

  test('are copied into a template that is made from it', async () => {
    const place = aPlace();
    const from = await readTemplate(place, aTemplate('shop', seeds), '/');
    const directory = await createTemplate(place, { name: 'mine', from, project: undefined });
    expect(readFileSync(join(directory, 'triggers', 'mine.yaml'), 'utf8')).toBe('mine');
  });
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));
const text = /\.(?:md|ts|tsx|js|mjs|json|ya?ml|sh|1)$/;
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => (text.test(path) || path === '.ci/run') && path !== 'test/install.test.ts');

/** Returns the lines of all files that match. */
function linesWith(pattern: RegExp): string[] {
  return files.flatMap((path) =>
    readFileSync(`${root}/${path}`, 'utf8')
      .split('\n')
      .flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1} ${line.trim()}`] : [])),
  );
}

test('The package has its own name and two commands', () => {
  expect(manifest.name).toBe('@parley-stack/parley');
  expect(Object.keys(manifest.bin)).toEqual(['stack', 'parley']);
});

/** An npm command that fetches a package called `stack` or `parley`, as the end of a word. */
const foreignInstall = /\bnpm (?:i|install|add|exec|x)\b[^#\n;&|]* (?:stack|parley)(?:@[^\s`'"]+)?(?=[\s`'"),;&|]|$)/;

test.each([
  ['npm install parley', true],
  ['Type `npm i -D stack`.', true],
  ["run('npm add --global parley@1.2')", true],
  ['npm exec -- stack start', true],
  ['npm install ./parley.tgz && npx --no stack start', false],
  ['npm install parley-stack-parley-0.1.0.tgz', false],
  ['npm install # then: stack start', false],
])('%s: fetches a foreign package: %s', (line, isFound) => {
  expect(foreignInstall.test(line)).toBe(isFound);
});

test('No document or program makes npm fetch a foreign package called stack or parley', () => {
  expect(files.length).toBeGreaterThan(500);
  expect(linesWith(/\bnpx (?!--no(?:-install)? )(?:-y |--yes )?(?:stack|parley)\b/)).toEqual([]);
  expect(linesWith(foreignInstall)).toEqual([]);
});

test('No document or program makes npm fetch the package by its name, which no registry has', () => {
  expect(linesWith(/\bnpm (?:i|install)\b[^#\n]* @parley-stack\/parley(?:@\S+)?(?:[\s`]|$)/)).toEqual([]);
});

test('Imports of the package use its name', () => {
  expect(linesWith(/(?:from|import|require)[ (]+'(?:parley|stack)(?:\/[^']*)?'/)).toEqual([]);
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { slowest, waiting } from './support/even-load.js';
import { brokenReferences } from './support/tidy/documents.js';
import { cycles, forbiddenImports, meetings } from './support/tidy/imports.js';
import { worldlyUses } from './support/tidy/outside.js';
import { strayReferences } from './support/tidy/references.js';
import { crowdedFolders, stageCrossings, unknownFolders } from './support/tidy/folders.js';
import { exportsOfOthers, looseTypes, spreadLiterals, tooLong } from './support/tidy/shape.js';
import { rowsWithoutTest } from './support/tidy/page-tests.js';
import { pathsUnder, read, readSources, root } from './support/tidy/sources.js';
import { missingTwins } from './support/tidy/twins.js';
import { looseMarks, oddOpenings, unfinishedWork, vagueNames } from './support/tidy/words.js';

const src = readSources('src');
const ui = readSources('ui').filter(({ path }) => !path.startsWith('ui/dist/'));
const tests = readSources('test');
const settings = ['vitest.config.ts', '.oxlintrc.json'].filter((path) => existsSync(join(root, path)));
const code = [...src, ...ui, ...tests, ...readSources('bin'), ...readSources('contracts')];
const guides = ['README.md', 'SECURITY.md', 'src/README.md', 'test/README.md', 'ui/README.md'];
const pages = [...guides, ...pathsUnder('docs').filter((path) => path.endsWith('.md'))];
const numberedPages = new Map(pages.filter((path) => path.startsWith('docs/')).map((path) => [path, read(path)]));

function isText(path: string): boolean {
  return /\.(sol|yaml|yml|md|json|js|ts)$/.test(path) && !path.startsWith('contracts/artifacts/');
}

describe('the house rules', () => {
  it('lets a folder import only what the matrix allows', () => {
    expect(forbiddenImports([...src, ...ui])).toEqual([]);
  });

  it('lets stages and technologies meet in one file only', () => {
    expect(meetings(src)).toEqual([]);
  });

  it('lets no stage import another', () => {
    expect(stageCrossings(src)).toEqual([]);
  });

  it('divides large folders by the same subjects', () => {
    const paths = [...src, ...tests].map(({ path }) => path);
    expect(unknownFolders(paths)).toEqual([]);
    const divided = paths.filter((path) => /^(src|test\/(network|e2e|long))\/(?!fixtures\/)/.test(path));
    expect(crowdedFolders(divided)).toEqual([]);
  });

  it('names only existing files in the order of a test run', () => {
    const paths = tests.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'));
    expect([...slowest, ...waiting].filter((part) => !paths.some((path) => path.includes(part)))).toEqual([]);
  });

  it('has no cycles of imports', () => {
    expect(cycles([...src, ...ui])).toEqual([]);
  });

  it('exports by name, only from the file that declares it', () => {
    expect(exportsOfOthers(code)).toEqual([]);
  });

  it('keeps files, functions and lines short', () => {
    expect(tooLong(code)).toEqual([]);
    expect(spreadLiterals(code)).toEqual([]);
  });

  it('asserts types only where external text gets its type', () => {
    expect(looseTypes(code)).toEqual([]);
  });

  it('uses time, chance, processes, sockets and the environment only in the files for it', () => {
    expect(worldlyUses([...src, ...ui])).toEqual([]);
  });

  it('has no vague names', () => {
    expect(vagueNames(code)).toEqual([]);
  });

  it('has no comment that begins with a word without a subject', () => {
    expect(oddOpenings(code)).toEqual([]);
  });

  it('has no space before a punctuation mark of a comment', () => {
    expect(looseMarks(code)).toEqual([]);
  });

  it('postpones no work', () => {
    const texts = [
      ...pathsUnder('contracts').filter((path) => path.endsWith('.sol')),
      ...pages,
      ...settings,
      'package.json',
    ];
    const files = texts.filter((path) => existsSync(join(root, path))).map((path) => ({ path, text: read(path) }));
    const others = code.filter(({ path }) => !path.startsWith('test/support/tidy/'));
    expect(unfinishedWork([...files, ...others])).toEqual([]);
  });

  it('has a test, an example or a reason for everything that needs one', () => {
    expect(missingTwins(src, tests)).toEqual([]);
  });

  it('names only existing files and sections in its pages', () => {
    expect(brokenReferences(pages)).toEqual([]);
  });

  it('has a test for every row of docs/firefly.md', () => {
    expect(rowsWithoutTest('docs/firefly.md', read('docs/firefly.md'), tests)).toEqual([]);
  });

  it('refers only to numbered sections of its own pages', () => {
    const texts = ['contracts', 'schemas', 'templates', 'bin'].flatMap(pathsUnder).filter(isText);
    const programs = ['.ci', 'scripts'].flatMap(pathsUnder);
    const files = [...new Set([...texts, ...programs, ...settings, ...pages])].map((path) => ({
      path,
      text: read(path),
    }));
    const others = code.filter(({ path }) => !/^test\/(tidy-rules\.test|support\/tidy\/references)\.ts$/.test(path));
    expect(strayReferences([...files, ...others], numberedPages)).toEqual([]);
  });
});

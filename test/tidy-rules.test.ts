import { describe, expect, it } from 'vitest';
import { attacksWithoutTest } from './support/tidy/documents.js';
import { cycles, forbiddenImports, meetings } from './support/tidy/imports.js';
import { worldlyUses } from './support/tidy/outside.js';
import { rowsWithoutTest } from './support/tidy/page-tests.js';
import { strayReferences } from './support/tidy/references.js';
import { crowdedFolders, stageCrossings, unknownFolders } from './support/tidy/folders.js';
import { exportsOfOthers, looseTypes, spreadLiterals, tooLong } from './support/tidy/shape.js';
import { parse, type Source } from './support/tidy/sources.js';
import { looseMarks, oddOpenings, unfinishedWork, vagueNames } from './support/tidy/words.js';

type Rule = (sources: readonly Source[]) => string[];
/** A rule, the path of the code, the code, and the beginning of the finding; undefined if there is none. */
type Case = readonly [rule: Rule, path: string, code: string, finding?: string];

const cases: readonly Case[] = [
  [forbiddenImports, 'src/wire/a.ts', `import { b } from '../domain/b.js';`, 'imports ../domain/b.js'],
  [forbiddenImports, 'src/domain/a.ts', `import { b } from '../wire/b.js';`],
  [forbiddenImports, 'src/ports/a.ts', `import { b } from '../wire/b.js';`, 'imports ../wire/b.js'],
  [forbiddenImports, 'src/ports/a.ts', `import type { B } from '../wire/b.js';`],
  [forbiddenImports, 'src/client/a.ts', `import { join } from 'node:path';`, 'imports node:path'],
  [forbiddenImports, 'src/cli/a.ts', `import { Wallet } from 'ethers';`, 'imports ethers'],
  [forbiddenImports, 'src/cli/a.ts', `const { Wallet } = await import('ethers');`, 'imports ethers'],
  [
    forbiddenImports,
    'src/devchain/a.ts',
    `const engine = require('hardhat/internal');`,
    'imports hardhat. In devchain only engine/chain.ts',
  ],
  [forbiddenImports, 'src/devchain/engine/chain.ts', `const engine = require('hardhat/internal');`],
  [forbiddenImports, 'src/helpers/a.ts', `import { b } from './b.js';`, 'stands in the unknown folder'],
  [meetings, 'src/adapters/files/a.ts', `import { b } from '../log/b.js';`, `imports another port's adapter`],
  [
    meetings,
    'src/node/a.ts',
    `import { b } from '../adapters/files/b.js'; import { c } from '../pipeline/c.js';`,
    'joins pipeline and adapters',
  ],
  [stageCrossings, 'src/pipeline/accept/a.ts', `import type { B } from '../receive/b.js';`, 'imports ../receive/b.js'],
  [stageCrossings, 'src/pipeline/judging/a.ts', `import { b } from '../receive/b.js';`, 'imports ../receive/b.js'],
  [stageCrossings, 'src/pipeline/accept/a.ts', `import { b } from '../operations/b.js'; import { c } from './b.js';`],
  [stageCrossings, 'src/pipeline/pipeline.ts', `import { b } from './receive/b.js';`],
  [exportsOfOthers, 'src/wire/a.ts', `export { b } from './b.js';`, 're-exports'],
  [exportsOfOthers, 'src/wire/a.ts', `export default function a() {}`, 'has a default export'],
  [exportsOfOthers, 'src/cli/commands/a.ts', `export default class A {}`],
  [tooLong, 'src/wire/a.ts', '\n'.repeat(300) + 'const a = 1;', 'has 301 lines'],
  [tooLong, 'src/wire/a.ts', `// ${'x'.repeat(118)}`, 'is 121 columns wide'],
  [tooLong, 'src/wire/a.ts', `function a() {${'\n'.repeat(70)}}`, 'is a function of 71 lines'],
  [tooLong, 'src/wire/a.ts', `const a = [\n${'  1,\n'.repeat(300)}];`],
  [tooLong, 'src/wire/a.ts', `const a = {\n${'  b() {\n  },\n'.repeat(150)}};`, 'has 302 lines'],
  [spreadLiterals, 'src/wire/a.ts', `const a = { ...{ b, c }, d };`, 'spreads a literal'],
  [spreadLiterals, 'src/wire/a.ts', `const a = [...(['b', 'c'] as const)];`, 'spreads a literal'],
  [spreadLiterals, 'src/wire/a.ts', `const a = { ...b, ...(c && { d }), e: [...f] };`],
  [looseTypes, 'src/domain/a.ts', `const a: any = 1;`, 'uses any'],
  [looseTypes, 'src/domain/a.ts', `const a = b as string;`, 'asserts a type with as'],
  [looseTypes, 'src/domain/a.ts', `const a = [1] as const;`],
  [looseTypes, 'src/wire/a.ts', `const a = b as string;`],
  [looseTypes, 'src/wire/a.ts', `// @ts-ignore\nconst a = 1;`, 'switches the compiler off'],
  [worldlyUses, 'src/pipeline/a.ts', `const now = new Date();`, 'uses Date'],
  [worldlyUses, 'src/pipeline/a.ts', `interface A { Date: string }`],
  [worldlyUses, 'src/node/a.ts', `const a = Math.random();`, 'uses Math.random'],
  [worldlyUses, 'src/node/a.ts', `import { setTimeout as sleep } from 'node:timers/promises';`, 'imports node:timers'],
  [worldlyUses, 'src/domain/a.ts', `import { createHash } from 'node:crypto';`],
  [worldlyUses, 'src/domain/a.ts', `import { readFile } from 'node:fs/promises';`, 'imports readFile from node:fs'],
  [worldlyUses, 'src/domain/a.ts', `import { randomBytes } from 'node:crypto';`, 'imports randomBytes'],
  [worldlyUses, 'src/node/a.ts', `const a = JSON.parse(text);`, 'uses JSON.parse'],
  [worldlyUses, 'src/stack/a.ts', `const home = process.env['HOME'];`, 'uses process.env'],
  [worldlyUses, 'src/stack/config.ts', `const home = process.env['HOME'];`],
  [worldlyUses, 'src/stack/a.ts', `console.log(1);`, 'uses console'],
  [worldlyUses, 'src/cli/a.ts', `console.log(1);`, 'uses console'],
  [worldlyUses, 'src/cli/commands/a.ts', `process.stdout.write(text);`, 'uses process.stdout'],
  [worldlyUses, 'src/cli/messages/a.ts', `process.stderr.write(text);`, 'uses process.stderr'],
  [worldlyUses, 'src/node/a.ts', `import { spawn } from 'node:child_process';`, 'imports node:child_process'],
  [worldlyUses, 'src/node/a.ts', `const server = createServer();`, 'uses createServer'],
  [vagueNames, 'src/wire/text-utils.ts', '', 'calls something utils'],
  [vagueNames, 'src/wire/a.ts', `export function handleMessage() {}`, 'calls something handle'],
  [vagueNames, 'src/wire/a.ts', `export const handlers = {};`],
  [oddOpenings, 'src/wire/a.ts', `/** What a row has. */`, 'begins a comment with What'],
  [oddOpenings, 'src/wire/a.ts', `/**\n * Of a row. */`, 'begins a comment with Of'],
  [oddOpenings, 'src/wire/a.ts', `const a = 1;\n  // Where it is.`, 'begins a comment with Where'],
  [oddOpenings, 'src/wire/a.ts', `/** The row that a query\n * Of a table finds. */`],
  [oddOpenings, 'src/wire/a.ts', `// The row\n// That is found.`],
  [looseMarks, 'src/wire/a.ts', `/** The row that is found . */`, 'has a space before a mark'],
  [looseMarks, 'src/wire/a.ts', `/**\n * The row\n * . It has no name.\n */`, 'has a space before a mark'],
  [looseMarks, 'src/wire/a.ts', `// The row , its name`, 'has a space before a mark'],
  [looseMarks, 'src/wire/a.ts', `// The name of .ci/run`],
];

describe('the house rules themselves', () => {
  for (const [rule, path, code, expected] of cases) {
    const verb = expected === undefined ? 'accepts' : 'refuses';
    const sample = code.trim().split('\n')[0]?.slice(0, 70) || 'its name';
    it(`${rule.name} ${verb} ${sample} in ${path}`, () => {
      const found = rule([parse(path, code)]);
      if (expected === undefined) expect(found).toEqual([]);
      else expect(found.join('\n')).toContain(expected);
    });
  }

  it('finds a cycle that only types close', () => {
    const one = parse('src/wire/one.ts', `import { two } from './two.js';`);
    const two = parse('src/wire/two.ts', `import type { One } from './one.js';`);
    expect(cycles([one, two])).toHaveLength(1);
    expect(cycles([one])).toEqual([]);
  });

  it('takes subjects as subfolders of large folders, and the listed others', () => {
    expect(
      unknownFolders(['src/wire/messages/pin.ts', 'src/wire/json/json.ts', 'src/wire/a.ts', 'src/cli/a/b.ts']),
    ).toEqual([]);
    expect(unknownFolders(['src/wire/pins/pin.ts', 'test/unit/node/json/a.test.ts'])).toHaveLength(2);
  });

  it('counts the files of a folder without those of its subfolders', () => {
    const files = (folder: string, count: number) => Array.from({ length: count }, (_, i) => `${folder}/${i}.ts`);
    expect(crowdedFolders([...files('src/http', 12), ...files('src/ports', 40), 'src/http/access/a.ts'])).toEqual([]);
    expect(crowdedFolders([...files('src/http', 13), ...files('src/stack/snapshot', 14)])).toHaveLength(2);
  });

  it('finds postponed work', () => {
    const word = ['TO', 'DO'].join('');
    expect(unfinishedWork([{ path: 'a.ts', text: `// ${word}: mend` }])).toHaveLength(1);
  });
});

describe('the rule of attacks', () => {
  const head = '| attack | answer | test |\n|---|---|---|\n';

  it('accepts only rows that name a test', () => {
    const rows = '| a page | refused | `unit/a/b.test.ts`, `unit/c.test.ts` |\n| a log | read | `compliance/d.ts` |\n';
    expect(attacksWithoutTest('SECURITY.md', head + rows)).toEqual([]);
    expect(attacksWithoutTest('SECURITY.md', `${head}| a page | refused | |\n`)).toEqual([
      'SECURITY.md has an attack without an answer or a test: a page. Name them.',
    ]);
    expect(attacksWithoutTest('SECURITY.md', 'no table')).toHaveLength(1);
  });
});

describe('the rule of rows and tests', () => {
  const tests = [parse('test/a.test.ts', `test.each([1])('adds %s to a sum', () => undefined);`)];
  const findings = (cell: string) =>
    rowsWithoutTest('docs/a.md', `# A\n\n| what | test |\n|---|---|\n| a | ${cell} |\n`, tests);

  it('accepts only rows that link to a test by a part of its title', () => {
    expect(findings('[to a sum](../test/a.test.ts)')).toEqual([]);
    expect(findings('')).toEqual(['docs/a.md has a row without a test: a. Link to one by its title.']);
    expect(findings('[to a sum](../test/b.test.ts)')).toHaveLength(1);
    expect(findings('[takes away](../test/a.test.ts)')).toEqual([
      'docs/a.md names a test "takes away", which test/a.test.ts does not have. Name one that it has.',
    ]);
  });

  it('requires such a column in every table, and at least one table', () => {
    expect(rowsWithoutTest('docs/a.md', '| what | why |\n|---|---|\n| a | b |\n', tests)).toEqual([
      'docs/a.md has a table that names no tests: what, why. Add them.',
    ]);
    expect(rowsWithoutTest('docs/a.md', 'no table', tests)).toHaveLength(1);
  });
});

describe('the rule of references', () => {
  const pages = new Map([
    ['docs/protocol.md', '# Protocol\n\n## 3. Hashes\n\nAs in §3.2.\n\n### 3.2 Vectors\n'],
    ['docs/commands.md', '# Commands\n\n## A stack\n'],
  ]);
  const stray = (text: string, path = 'src/a.ts'): string[] => strayReferences([{ path, text }], pages);

  it.each([
    ['a section', '/** A hash (docs/protocol.md §3). */'],
    ['several of a page', '/** Hashes (docs/protocol.md §3, §3.2). */'],
    ['one behind a line break', '/**\n * A hash (docs/protocol.md\n * §3.2).\n */'],
    ['words that only look like it', 'const style = { cli: 2 };'],
  ])('takes %s', (_, text) => {
    expect(stray(text)).toEqual([]);
  });

  it('accepts the own sections of a page, and those of a page that it links to', () => {
    expect(stray('As in §3.2.', 'docs/protocol.md')).toEqual([]);
    expect(stray('As in [protocol.md](protocol.md) §3 and §3.2.', 'docs/glossary.md')).toEqual([]);
    expect(stray('As in [the protocol](../docs/protocol.md) §3.', 'src/README.md')).toEqual([]);
  });

  it.each([
    ['a section that is not there', '// docs/protocol.md §3.3', 'docs/protocol.md §3.3'],
    ['one of several that is not there', '// docs/protocol.md §3, §4', 'docs/protocol.md §3, §4'],
    ['a page without numbers', '// docs/commands.md §1', 'docs/commands.md §1'],
    ['a page that is not there', '// docs/other.md §1', 'docs/other.md §1'],
    ['a section without its page', '// see §3.2', '§3.2'],
    ['a page by a letter', '// S §8.6', '§8.6'],
    ['a page by its name and a number', ['// archi', 'tecture, 2'].join(''), 'tecture, 2'],
    ['a row of a table elsewhere', ['// assu', 'rance B33'].join(''), 'rance B33'],
    ['a page with its ending', ['// cli', '.md, 9.3'].join(''), '.md, 9'],
    ['a section in words', ['// assu', 'rance,\n// section 4'].join(''), 'rance, section 4'],
  ])('refuses %s', (_, text, found) => {
    const findings = stray(text);
    expect(findings).toHaveLength(1);
    expect(findings.join('\n')).toContain(`refers to`);
    expect(findings.join('\n')).toContain(found);
  });

  it('names the place, and what to write instead', () => {
    expect(stray('\n// see §9')).toEqual([
      'src/a.ts:2 refers to §9, which is no section of a page in docs. Name one: docs/protocol.md §3.2.',
    ]);
  });
});

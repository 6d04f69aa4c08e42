import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSeed } from '../../../../src/cli/seed/read.js';
import { seedSchema } from '../../../../src/cli/seed/schema.js';

const folder = mkdtempSync(join(tmpdir(), 'parley-seed-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const words = async (text: string) => (await readSeed(file('seed.yaml', text))).map(({ argv }) => argv);

describe('the steps of a seed', () => {
  it('become the words that a person would type', async () => {
    file('order.json', '{"n":1.0}');
    expect(
      await words(
        [
          '- {party: alice, mint: {amount: 100, pool: coins, to: bob}}',
          '- party: bob',
          '  broadcast: {payload: {hello: [1, true]}, topic: [a, b], file: order.json, no-wait: true}',
          '- {party: bob, send: {payload: "@order.json", to: carol, autometa: false, tag: -x}}',
          '- {party: alice, pool create: {name: gold, type: fungible, publish: false}}',
        ].join('\n'),
      ),
    ).toEqual([
      ['-p', 'alice', '--to=bob', '--pool=coins', '--', '100'],
      [
        '-p',
        'bob',
        `--file=${join(folder, 'order.json')}`,
        '--topic=a',
        '--topic=b',
        '--no-wait',
        '--',
        '{"hello":[1,true]}',
      ],
      ['-p', 'bob', '--to=carol', '--no-autometa', '--tag=-x', '--', `@${join(folder, 'order.json')}`],
      ['-p', 'alice', '--type=fungible', '--no-publish', '--', 'gold'],
    ]);
    expect(await words('# nothing yet\n')).toEqual([]);
    expect(await words('\uFEFF- {party: alice, broadcast: {payload: x}}')).toEqual([['-p', 'alice', '--', 'x']]);
  });

  it('have a key made of file name, position and content, including files', async () => {
    const keys = async (name: string, text: string) => (await readSeed(file(name, text))).map(({ key }) => key);
    const step = '- {party: alice, broadcast: {payload: "@order.json"}}';
    file('order.json', '1');
    const [first, second] = await keys('a.yaml', `${step}\n${step}`);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
    expect(await keys('a.yaml', `# a comment\n- party: alice\n  broadcast: {payload: '@order.json'}`)).toEqual([first]);
    expect(await keys('b.yaml', step)).not.toEqual([first]);
    file('order.json', '2');
    expect(await keys('a.yaml', step)).not.toEqual([first]);
  });

  it.each([
    ['party: alice', /:1:1: A seed is a list of steps/],
    ['- mint', /:1:3: A step is like/],
    ['- {mint: {amount: 1}}', /The party of the step is missing/],
    ['- {party: alice}', /The command of the step is missing/],
    ['- {party: alice, mnit: {amount: 1}}', /:1:18: Unknown step mnit — did you mean "mint"/],
    ['- {party: alice, mint: {amount: 1}, burn: {amount: 1}}', /A step has one command: mint or burn/],
    ['- {party: alice, mint: 5}', /mint must be a mapping of flags/],
    ['- {party: alice, mint: {amont: 5}}', /mint has no amont — did you mean "amount"/],
    ['- {party: alice, mint: {amount: 5, idempotent: x}}', /mint has no idempotent/],
    ['- {party: alice, mint: {pool: coins}}', /mint needs amount \(whole number\)/],
    ['- {party: alice, mint: {amount: 123456789012345678901}}', /amount is a number that YAML would round/],
    ['- {party: alice, broadcast: {payload: {ids: [12345678901234567890]}}}', /payload contains a number that YAML/],
    ['- {party: alice, mint: {amount: 1, wait: some}}', /wait must be none or local or all, not some/],
    ['- {party: alice, broadcast: {payload: "-"}}', /payload cannot be read from stdin/],
    ['- {party: alice, broadcast: {payload: x, autometa: often}}', /autometa must be true or false, not "often"/],
    ['- {party: alice, broadcast: {payload: "@absent.json"}}', /absent\.json cannot be read: there is no such file/],
    ['- {party: alice, mint: {amount: 1}', /:1:\d+: Flow map/],
  ])('are refused with line, column and what was expected: %s', async (text, problem) => {
    const refusal = readSeed(file('wrong.yaml', text));
    await expect(refusal).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(problem) as string });
  });
});

describe('the schema of seeds', () => {
  // UPDATE_SCHEMAS=1 vitest run test/unit/cli/seed/read.test.ts writes the file after a change of a command.
  it("is in the package, and has the fields of the steps' commands", async () => {
    const schema = await seedSchema();
    const path = new URL('../../../../schemas/seed.schema.json', import.meta.url);
    if (process.env['UPDATE_SCHEMAS'] === '1') await writeFile(path, JSON.stringify(schema, undefined, 2));
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
    const isValid = (text: string): boolean => new Ajv().validate(schema, parse(text));
    expect(isValid('- {party: alice, mint: {amount: 100, pool: coins, to: bob}}')).toBe(true);
    expect(isValid('- {party: alice, mint: {pool: coins}}')).toBe(false);
    expect(isValid('- {party: alice, mint: {amount: 1, pol: coins}}')).toBe(false);
    expect(isValid('- {party: alice}')).toBe(false);
  });
});

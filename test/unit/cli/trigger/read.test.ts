import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { findTriggers } from '../../../../src/cli/trigger/find.js';
import { fill, fillText, namesIn } from '../../../../src/cli/trigger/placeholders.js';
import { readTrigger } from '../../../../src/cli/trigger/read.js';
import { triggerSchema } from '../../../../src/cli/trigger/schema.js';
import { readOverride } from '../../../../src/cli/trigger/trigger.js';
import { memoryOutput } from '../memory-output.js';

const folder = mkdtempSync(join(tmpdir(), 'parley-trigger-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(text: string) {
  const path = join(folder, 'mine.yaml');
  writeFileSync(path, text);
  return { name: 'mine', from: 'here', path } as const;
}

function withStep(step: string) {
  return file(`description: Mine.\nsteps:\n  - {name: one, party: alice, broadcast: {payload: x}}\n  - ${step}\n`);
}

describe('a trigger', () => {
  it('that is missing, or not a file, is a usage error', async () => {
    const path = join(folder, 'absent.yaml');
    await expect(readTrigger({ name: 'absent', from: 'here', path }, [])).rejects.toMatchObject({
      exitCode: 2,
      message: `${path} cannot be read: there is no such file.`,
    });
    await expect(readTrigger({ name: 'folder', from: 'here', path: folder }, [])).rejects.toMatchObject({
      exitCode: 2,
      message: `${folder} cannot be read: it is a directory.`,
    });
  });

  it('is found even if a file has the name of the folder of triggers', async () => {
    const here = vi.spyOn(process, 'cwd').mockReturnValue(folder);
    writeFileSync(join(folder, 'triggers'), 'These are none.');
    const context = { output: memoryOutput().output, environment: { STACK_HOME: folder }, program: 'stack' };
    expect((await findTriggers({}, context)).map(({ name }) => name)).toContain('hello');
    here.mockRestore();
  });

  const packaged = new URL('../../../../triggers/', import.meta.url).pathname;
  const names = readdirSync(packaged).filter((name) => name.endsWith('.yaml'));

  it('of the package exists for each known chain of events', () => {
    const wanted = 'hello datatype rejected datatype-race private-group unpinned blob multi-topic blocked-topic';
    const all = `${wanted} batch-storm mint-private nft`.split(' ').map((name) => `${name}.yaml`);
    expect(names.toSorted()).toEqual(all.toSorted());
  });

  it.each(names)('of the package works with two parties: %s', async (name) => {
    const { steps } = await readTrigger({ name, from: 'package', path: join(packaged, name) }, []);
    const clashing = steps.filter((step) => {
      const used = namesIn(step.work);
      return step.work.kind === 'command' && step.minParties < 3 && used.includes('second') && used.includes('last');
    });
    expect(clashing).toEqual([]);
  });

  it.each(names)('of the package can be read: %s', async (name) => {
    const { description, steps } = await readTrigger({ name, from: 'package', path: join(packaged, name) }, []);
    expect(description).toMatch(/^[A-Z].{1,100}\.$/);
    expect(steps.some(({ work }) => work.kind === 'expect')).toBe(true);
  });

  it('is changed by overrides at the path of a step', async () => {
    const trigger = await readTrigger(withStep('{name: two, expect: order same}'), [
      readOverride('one.broadcast.payload={"hello":"mars"}'),
      readOverride('one.broadcast.tag=a=b'),
      readOverride('one.party=bob'),
      readOverride('two.expect=["order topic=x same"]'),
    ]);
    expect(trigger.steps).toMatchObject([
      { work: { party: 'bob', given: { payload: { hello: 'mars' }, tag: 'a=b' } } },
      { work: { kind: 'expect', assertions: ['order topic=x same'] } },
    ]);
    expect(() => readOverride('one')).toThrow(expect.objectContaining({ exitCode: 2 }));
  });

  it.each([
    ['hello', /A step is like/],
    ['{party: alice, broadcast: {payload: x}}', /The name of the step is missing/],
    ['{name: one, expect: order same}', /one is named twice/],
    ['{name: run, expect: order same}', /run is named twice/],
    ['{name: two, expect: ordr same}', /:4:\d+: The assertion: unknown kind of assertion .*did you mean "order"/],
    ['{name: two, party: alice, broadcst: {payload: x}}', /did you mean "broadcast"/],
    ['{name: two, broadcast: {payload: x}}', /The party of the step is missing/],
    ['{name: two, party: alice, chain pause: {}}', /chain pause takes no party/],
    ['{name: two, party: alice, broadcast: {payload: "{{three.id}}"}}', /\{\{three\}\} is neither an earlier step/],
    ['{name: two, party: alice, broadcast: {payload: x}, fails: yes}', /fails must be an exit code/],
    ['{name: two, parallel: {}}', /Steps must be a list/],
  ])('is refused with line, column and what was expected: %s', async (step, problem) => {
    await expect(readTrigger(withStep(step), [])).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(problem) as string,
    });
  });

  it.each([
    ['- {name: one}', /A trigger is a mapping/],
    ['steps: []', /The description of the trigger is missing/],
    ['description: Mine.\nstep: []', /:2:1: The key step is unknown — did you mean "steps"/],
  ])('needs a description and steps: %j', async (text, problem) => {
    await expect(readTrigger(file(text), [])).rejects.toMatchObject({
      message: expect.stringMatching(problem) as string,
    });
  });
});

describe('a placeholder', () => {
  const values = new Map<string, unknown>([
    ['run', 't1'],
    ['send', { header: { id: 'abc' }, stack: { n: 5 } }],
    ['mint', { id: 'own', pool: null }],
  ]);

  it('stands for a value of the run, or a member of an answer', () => {
    const given = { a: ['{{run}}-{{ send.id }}', 1, null, true], b: { c: '{{send.stack.n}} {{mint.id}} {{n}} {x}' } };
    expect(fill(given, values)).toEqual({ a: ['t1-abc', 1, null, true], b: { c: '5 own {{n}} {x}' } });
    expect(namesIn(given)).toEqual(['run', 'send', 'send', 'mint']);
  });

  it('needs a value', () => {
    for (const text of ['{{mint.pool}}', '{{mint.stack.id}}', '{{later.id}}', '{{send}}']) {
      expect(() => fillText(text, values)).toThrow(expect.objectContaining({ exitCode: 2 }));
    }
  });
});

describe('the schema of triggers', () => {
  const path = new URL('../../../../schemas/trigger.schema.json', import.meta.url);

  // UPDATE_SCHEMAS=1 vitest run test/unit/cli/trigger/read.test.ts writes the file after a change of a command.
  it('is in the package, and has the fields of the steps', async () => {
    const schema = await triggerSchema();
    if (process.env['UPDATE_SCHEMAS'] === '1') writeFileSync(path, JSON.stringify(schema, undefined, 2));
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  it('accepts the triggers of the package', async () => {
    const isValid = new Ajv().compile(await triggerSchema());
    const folder = new URL('../../../../triggers/', import.meta.url);
    const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
    const wrong = names.filter((name) => !isValid(parse(readFileSync(new URL(name, folder), 'utf8'))));
    expect(wrong).toEqual([]);
  });

  it.each([
    'hello',
    '{party: alice, broadcast: {payload: x}}',
    '{name: two}',
    '{name: two, expect: order same, broadcast: {payload: x}}',
    '{name: two, party: alice, broadcst: {payload: x}}',
    '{name: two, party: alice, mint: {pol: coins, amount: 1}}',
    '{name: two, parallel: {}}',
  ])('refuses the step %s', async (step) => {
    const isValid = new Ajv().compile(await triggerSchema());
    expect(isValid({ description: 'Mine.', steps: [parse(step)] })).toBe(false);
  });
});

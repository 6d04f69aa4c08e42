import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePortBase } from '../../support/port-base.js';
import { programFile } from '../../e2e/fixtures/cli.js';
import { createStackCli } from '../../e2e/fixtures/stack-cli.js';

/** A stack whose definition has seeds and hooks, in a separate project. */
const cli = createStackCli('minimal');
const project = join(cli.directory, 'shop');
const inProject = (name: string) => join(project, name);
const read = (name: string) => readFileSync(inProject(name), 'utf8');

async function run(...words: readonly string[]) {
  return cli.run(words, { directory: project });
}

beforeAll(async () => {
  mkdirSync(join(project, 'seed'), { recursive: true });
  const made = await run('init', 'shop', '--here', '-t', 'minimal', '--port-base', await freePortBase(), '-q');
  expect(made).toMatchObject({ code: 0 });
  writeFileSync(inProject('seed/first.yaml'), '- {party: bob, broadcast: {payload: {seeded: true}, tag: seeded}}\n');
  appendFileSync(
    inProject('stack.yaml'),
    [
      'seed: [seed/first.yaml]',
      'hooks:',
      `  ready: ['echo "$STACK_NAME $STACK_PARTIES" >> ready.txt; echo said']`,
      `  stop: ['curl -sf "$STACK_ALICE_URL/api/v1/status" > /dev/null || true; echo stop >> stop.txt']`,
    ].join('\n'),
  );
});
afterAll(cli.remove);

describe('A start', () => {
  test('applies the seeds of the definition and runs its hooks, after printing them, once', async () => {
    const started = await run('start', '--json');
    expect(started.code).toBe(0);
    expect(JSON.parse(started.out)).toMatchObject({ name: 'shop', state: 'running', alreadyRunning: false });
    expect(started.err).toMatch(/Hook \(ready\): echo .*\nsaid\n/);
    expect(read('ready.txt')).toBe('shop alice,bob\n');
    expect(await run('expect', 'events message_confirmed tag=seeded = 1 on all')).toMatchObject({ code: 0 });
    expect(await run('start')).toMatchObject({ code: 0, err: expect.not.stringContaining('Hook') as string });
    expect(read('ready.txt')).toBe('shop alice,bob\n');
  });

  test('after a stop, whose hooks run while the stack is up, applies no seed twice', async () => {
    const stopped = await run('stop');
    expect(stopped).toMatchObject({ code: 0, err: expect.stringContaining('Hook (stop): curl') as string });
    expect(read('stop.txt')).toBe('stop\n');
    expect((await run('stop')).err).not.toContain('Hook');
    expect(await run('start', '--no-hooks', '-q')).toMatchObject({ code: 0 });
    expect(read('ready.txt')).toBe('shop alice,bob\n');
    expect(await run('expect', 'events message_confirmed tag=seeded = 1 on all')).toMatchObject({ code: 0 });
  });

  test("exits with 8 if a hook fails, and with the seed's code if a seed fails, and the stack stays up", async () => {
    const before = read('stack.yaml');
    writeFileSync(inProject('stack.yaml'), before.replace(/ready: .*/, `ready: ['exit 3', 'touch never.txt']`));
    const failed = await run('restart', '--json');
    expect(failed.code).toBe(8);
    expect(JSON.parse(failed.out)).toMatchObject({
      error: {
        code: 'UNHEALTHY',
        hint: expect.stringContaining('stack restart shop') as string,
        details: { hook: 'exit 3', when: 'ready', exitCode: 3 },
      },
    });
    expect(existsSync(inProject('never.txt'))).toBe(false);
    expect(await run('status', '--check')).toMatchObject({ code: 0 });
    writeFileSync(inProject('stack.yaml'), before);
    writeFileSync(inProject('seed/first.yaml'), '- {party: bob, broadcst: {payload: x}}\n');
    const refused = await run('restart');
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('did you mean "broadcast"') as string });
    expect(refused.err).toMatch(/A seed of shop ended with 2\. The stack is up\.\n.*stack start shop/);
    expect(await run('status', '--check')).toMatchObject({ code: 0 });
  });

  test('continues failed seeds, once, even if all services run, and then runs the hooks', async () => {
    const first = '- {party: bob, broadcast: {payload: 1, tag: before}}\n';
    writeFileSync(
      inProject('seed/first.yaml'),
      `${first}- {party: bob, send: {payload: 2, to: nobody, tag: behind}}\n`,
    );
    expect(await run('start')).toMatchObject({
      code: 7,
      err: expect.stringContaining('first.yaml:2:3 (send)') as string,
    });
    writeFileSync(inProject('seed/first.yaml'), `${first}- {party: bob, send: {payload: 2, to: alice, tag: behind}}\n`);
    writeFileSync(inProject('ready.txt'), '');
    // The second start has nothing to do.
    for (const words of [['start'], ['start', '--json']]) {
      expect(await run(...words)).toMatchObject({ code: 0 });
      expect(read('ready.txt')).toBe('shop alice,bob\n');
      for (const tag of ['before', 'behind']) {
        expect(await run('expect', `events message_confirmed tag=${tag} = 1 on bob`)).toMatchObject({ code: 0 });
      }
    }
  });
});

test('a run applies the seeds and runs the hooks of its project before its command begins', async () => {
  writeFileSync(inProject('seed/first.yaml'), '- {party: bob, broadcast: {payload: hello, tag: of-run}}\n');
  const command = `cat ready.txt; '${process.execPath}' '${programFile}' expect 'message tag=of-run confirmed on all'`;
  const { code, out, err } = await run('run', '--', 'sh', '-c', command);
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(out).toMatch(/^run-\w{8} alice,bob$/m);
  expect(out).toContain('✓ message tag=of-run confirmed on all');
});

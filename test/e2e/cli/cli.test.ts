import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { messageRecord } from '../../unit/cli/message-record.js';
import { startPlainNode } from '../../unit/cli/plain-node.js';
import { createCli, programFile } from '../fixtures/cli.js';

const cli = createCli();
afterAll(() => cli.remove());

const id = 'b27d4f91-0c6e-4a58-9b3f-5d8e1a2c7b02';
const escape = '\u001b';

/** Returns the only failure that a command printed as JSON. */
function failureIn(out: string): unknown {
  expect(out.split('\n')).toHaveLength(2);
  const shown: { readonly schemaVersion: number; readonly error: unknown } = JSON.parse(out);
  expect(shown.schemaVersion).toBe(1);
  return shown.error;
}

describe('The command line, without a stack,', () => {
  test('loads no large modules to show its help', async () => {
    const file = join(cli.directory, 'modules');
    const hook = new URL('../fixtures/loaded-modules.mjs', import.meta.url).href;
    await promisify(execFile)(process.execPath, ['--import', hook, programFile, '--help'], {
      env: { ...cli.environment, LOADED_MODULES: file },
    });
    const loaded = [...new Set((await readFile(file, 'utf8')).split('\n'))];
    expect(loaded.filter((name) => name.includes('/node_modules/'))).toEqual([]);
    const parts = loaded.filter((name) => name.startsWith('file:') && name.includes('/dist/programs/'));
    expect(parts.length).toBeGreaterThan(5);
    const sizes = await Promise.all(parts.map(async (name) => (await stat(new URL(name))).size));
    // A YAML parser alone would exceed the limit, as would any other large module.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(900_000);
  });

  test('shows each command in its help, and exits with 0', async () => {
    const { code, out, err } = await cli.run(['--help']);
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    for (const name of ['init', 'start', 'broadcast', 'messages list', 'events tail', 'bench broadcast']) {
      expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
    expect((await cli.run(['help', 'events', 'tail'])).out).toContain('stack events tail');
    expect((await cli.run(['broadcast', '--help'])).out).toContain('--idempotent');
    expect((await cli.run(['help', 'exit-codes'])).out).toContain('port in use');
  });

  test('suggests a command for one that does not exist', async () => {
    const { code, err } = await cli.run(['brodcast', '{}']);
    expect(code).toBe(127);
    expect(err).toContain('stack broadcast');
    expect((await cli.run(['xyzzy', '--json'])).code).toBe(127);
  });

  test('prints one line of JSON for a bad flag with --json, and exits with 2', async () => {
    const { code, out, err } = await cli.run(['broadcast', '{}', '--jsn', '--json']);
    expect(failureIn(out)).toMatchObject({ code: 'USAGE', exitCode: 2 });
    expect([code, err]).toEqual([2, '']);
  });

  test.each([
    [['broadcast', '{"a":'], 2],
    [['broadcast'], 2],
    [['broadcast', '-', '-d', '-'], 2],
    [['broadcast', '{}', '--timeout', 'soon'], 2],
    [['broadcast', '{}', '--lines'], 2],
    [['broadcast', '{}', '--count', '2', '--idempotent', 'k'], 2],
    [['api', 'GET', 'status', '-H', 'authorization: x', '--url', 'http://127.0.0.1:1'], 2],
    [['messages', 'list', '--url', 'http://127.0.0.1:1', '--auth-file', '/nowhere'], 2],
    [['messages', 'list', '--url', 'http://ann:secret@127.0.0.1:1'], 2],
    [['start', 'nowhere'], 3],
    [['status'], 3],
    [['messages', 'list'], 3],
    // No program listens at port 1. Browsers refuse to connect there; commands connect to any port.
    [['messages', 'list', '--url', 'http://127.0.0.1:1'], 4],
    [['events', 'tail', '--url', 'http://127.0.0.1:1'], 4],
    [['broadcast', '{}', '--url', 'nonsense'], 2],
    [['remove', 'nowhere'], 0],
    [['list'], 0],
  ])('%j exits with %i', async (words, code) => {
    expect((await cli.run(words)).code).toBe(code);
    const { out } = await cli.run([...words, '--json']);
    if (code !== 0) expect(failureIn(out)).toMatchObject({ exitCode: code });
  });

  test.runIf(existsSync('/dev/full'))('does not report a fault of the machine as a defect', async () => {
    const corrupt = join(cli.directory, 'corrupt');
    await mkdir(corrupt);
    await writeFile(join(corrupt, 'registry.json'), '{bad');
    const cases: [string, number, RegExp][] = [
      ['stack list >/dev/full', 9, /output cannot be written: the disk is full/],
      ['stack list --json >/dev/full', 9, /output cannot be written: the disk is full/],
      ['stack --help >/dev/full', 9, /the disk is full/],
      ['STACK_HOME=/proc/x; export STACK_HOME; stack init dev', 9, /Cannot use \/proc\/x/],
      [`STACK_HOME='${corrupt}'; export STACK_HOME; stack list`, 10, /registry\.json is not JSON/],
    ];
    const ended = await Promise.all(cases.map(([line]) => cli.shell(line).ended));
    ended.forEach(({ code, err }, i) => {
      expect(code).toBe(cases[i]?.[1]);
      expect(err).toMatch(cases[i]?.[2] ?? /x/);
      expect(err).not.toMatch(/defect|Internal error|^ +at /m);
    });
  });

  test('sends the good lines of stdin, and names the bad line by its number', async () => {
    const header = { id, type: 'broadcast', author: 'did:parley:org/a', topics: ['default'], topic: ['default'] };
    const node = await startPlainNode(({ method }) =>
      method === 'POST' ? { status: 202, body: { header, hash: '', state: 'ready', data: [] } } : undefined,
    );
    const words = ['broadcast', '--lines', '--no-wait', '--url', node.url];
    const input = '{"n":1}\n\n{"n":\n{"n":4}\n';
    const stopped = await cli.run(words, { input });
    const whole = await cli.run([...words, '--keep-going'], { input });
    await node.stop();
    expect([stopped.code, whole.code]).toEqual([2, 2]);
    expect(stopped.err).toMatch(
      /1 message sent before the failure\.\n✗ Line 3 of stdin is not valid JSON.*It was not sent/,
    );
    expect(whole.err).toMatch(/✗ Line 3 of stdin.*\n2 messages sent in .*, 1 failed\./);
    expect(node.came.map(({ body }) => body.toString())).toEqual(
      ['1', '1', '4'].map((n) => `{"data":[{"value":{"n":${n}}}]}`),
    );
  });

  test('uses the name of the program that was typed in its hints', async () => {
    await mkdir(join(cli.directory, 'bin'));
    const link = join(cli.directory, 'bin', 'parley');
    await symlink(programFile, link);
    const failure = await promisify(execFile)(process.execPath, [link, 'status'], { env: cli.environment }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 3, stderr: expect.stringContaining('parley init') });
    const mistyped = await promisify(execFile)(process.execPath, [link, 'status', '--bogus'], {
      env: cli.environment,
    }).catch((error: unknown) => error);
    expect(mistyped).toMatchObject({ code: 2, stderr: expect.stringContaining('parley status --help') });
  });

  test('ignores a stack.yaml of another tool', async () => {
    await writeFile(join(cli.directory, 'stack.yaml'), 'resolver: lts-22.0\n');
    expect((await cli.run(['list'])).code).toBe(0);
    expect((await cli.run(['status'])).err).toContain('There is no stack yet');
  });

  test('creates a stack only once, and asks before it removes it', async () => {
    expect(await cli.run(['init', 'trade', '-n', 'buyer,seller', '-q'])).toEqual({ code: 0, out: 'trade\n', err: '' });
    expect((await cli.run(['init', 'trade'])).code).toBe(10);
    const again = await cli.run(['init', 'trade', '--if-missing', '--json']);
    expect(JSON.parse(again.out)).toMatchObject({ schemaVersion: 1, name: 'trade', parties: ['buyer', 'seller'] });
    expect((await cli.run(['list'])).out).toContain('trade\tstopped\tbuyer,seller');
    expect((await cli.run(['broadcast', '{}'])).code).toBe(4);
    // A mistyped party is reported first, because starting the stack would not help.
    expect((await cli.run(['broadcast', '{}', '-p', 'byer'])).code).toBe(3);
    expect((await cli.run(['status', '--check'])).code).toBe(4);
    // Some commands take the name of a stack as an argument; these take it as a flag.
    for (const [line, code] of [
      ['balances', 2],
      ['events tail', 2],
      ['logs', 3],
      ['port', 3],
    ] as const) {
      const misplaced = await cli.run([...line.split(' '), 'trade']);
      const hint = `"trade" is a stack. Choose it with -s: stack ${line} -s trade`;
      expect(misplaced, line).toMatchObject({ code, err: expect.stringContaining(hint) as string });
    }
    const refused = await cli.run(['remove', 'trade', '--json']);
    expect(failureIn(refused.out)).toMatchObject({ exitCode: 2, hint: 'Add --yes: stack remove trade --yes' });
    expect((await cli.run(['reset'])).code).toBe(2);
    const removed = await cli.run(['remove', 'trade', '--yes', '--json']);
    expect(JSON.parse(removed.out)).toEqual({ schemaVersion: 1, removed: ['trade'], leftovers: [], kept: [] });
  });

  test('checks the definition of a checkout without a stack, which a start refuses', async () => {
    const checkout = join(cli.directory, 'checkout');
    await mkdir(checkout);
    await writeFile(join(checkout, 'stack.yaml'), 'apiVersion: stack/v1\nname: there\npartys: [alice]\n');
    const refused = await cli.run(['start'], { directory: checkout });
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('stack config validate') as string });
    const { code, err } = await cli.run(['config', 'validate'], { directory: checkout });
    expect(code).toBe(2);
    expect(err).toMatch(/stack\.yaml:3:1: The key partys is unknown — did you mean "parties"/);
    expect(await cli.run(['config', 'validate', '--online'], { directory: checkout })).toMatchObject({ code: 3 });
  });

  test("shows, changes and checks the settings of a stack, and finds the user's templates", async () => {
    const environment = { STACK_HOME: join(cli.directory, 'settings'), XDG_CONFIG_HOME: join(cli.directory, 'config') };
    const run = (...words: string[]) => cli.run(words, { environment });
    expect(await run('template', 'new', 'mine', '-q')).toMatchObject({ code: 0, err: '' });
    expect((await run('template', 'list', '--no-headers')).out).toMatch(/^mine@1\tuser\t/m);
    expect((await run('template', 'validate', 'mine')).out).toContain('mine@1 is valid');
    expect((await run('init', 'dev', '-t', 'mine', '-q')).out).toBe('dev\n');
    const path = (await run('config', 'path', '-q')).out.trim();
    expect(await readFile(path, 'utf8')).toMatch(/^# yaml-language-server: \$schema=stack.schema.json\n/);
    expect((await run('config', 'set', 'logs.level=debug', 'parties.2.org=Carol.Inc')).code).toBe(2);
    expect((await run('config', 'set', 'logs.level=debug', 'accounts.spare=2')).code).toBe(0);
    expect(await readFile(path, 'utf8')).toMatch(/^logs: \{level: debug\}\naccounts: \{spare: 2\}$/m);
    expect((await run('config', 'set', '--user', 'namespace=trade', 'logs.maxFiles=3')).code).toBe(0);
    const lines = (await run('config', 'show', '--resolved')).out.split('\n');
    expect(lines).toContainEqual(expect.stringMatching(/^logs\.level\tdebug\t.*stack\.yaml:\d+$/));
    expect(lines).toContainEqual(expect.stringMatching(/^logs\.maxFiles\t3\t.*config\.yaml:2$/));
    expect(lines).toContainEqual('chain.mining\tauto\tdefault');
    await writeFile(path, `${await readFile(path, 'utf8')}portz: 1\nlimits: {minFreeDsk: 1}\n`);
    const { code, err } = await run('config', 'validate');
    expect(code).toBe(2);
    expect(err).toMatch(/stack\.yaml:\d+:1: The key portz is unknown — did you mean "ports"/);
    expect(err).toMatch(/stack\.yaml:\d+:10: The key minFreeDsk is unknown — did you mean "minFreeDisk"/);
    expect(failureIn((await run('start', '--json')).out)).toMatchObject({ code: 'STACK_FILE_INVALID', exitCode: 2 });
    await writeFile(join(cli.directory, 'config', 'parley', 'config.yaml'), 'colour: 1\n');
    expect(await run('list')).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean "color"') as string,
    });
    expect((await run('config', 'set', '--user', 'colour=2')).code).toBe(2);
    expect((await run('help')).code).toBe(0);
    const examined = await run('doctor');
    expect(examined.code).toBe(9);
    expect(examined.out).toMatch(/^fail {2}settings .*config\.yaml:1:1: The key colour is unknown/m);
    expect(examined.out).toMatch(/^warn {2}settings .*stack\.yaml:\d+:1: The key portz is unknown/m);
    expect((await run('stop', 'dev')).code).toBe(0);
    expect((await run('remove', 'dev', '--yes')).code).toBe(0);
  });

  test.each([{}, { NO_COLOR: '1' }, { TERM: 'dumb' }, { CI: 'true' }])(
    'writes no escape byte with %j, whatever a node says in tag, topic and value',
    async (environment) => {
      const hostile = `${escape}[31mred${escape}]0;title\u0007`;
      const record = messageRecord({ tag: hostile, topics: [hostile], value: hostile });
      const event = { id, sequence: 1, type: 'message_confirmed', namespace: 'default', reference: id, topic: hostile };
      const node = await startPlainNode(({ path }) => {
        if (path === 'messages') return { body: [record] };
        if (path === 'events') return { body: [{ ...event, tx: id, created: record.header.created, message: record }] };
        if (path.endsWith('/data')) return { body: record.data };
        return path.startsWith('messages/') ? { body: record } : undefined;
      });
      onTestFinished(() => node.stop());
      for (const words of [
        ['messages', 'list', '--with-data'],
        ['messages', 'list', '--json'],
        ['messages', 'get', record.header.id],
        ['messages', 'data', record.header.id],
        ['events', 'list'],
        ['events', 'list', '--with-data', '--json'],
      ]) {
        const { code, out, err } = await cli.run([...words, '--url', node.url], { environment });
        expect([words, code, err]).toEqual([words, 0, '']);
        expect(out).toContain('[31mred');
        expect(out).not.toContain(escape);
      }
    },
  );

  test.each([{}, { NO_COLOR: '1' }, { TERM: 'dumb' }, { CI: 'true' }])(
    'writes no escape byte with %j',
    async (environment) => {
      const outputs = await Promise.all(
        [['--help'], ['xyzzy'], ['broadcast', `{"a":${escape}[31m`], ['status', `x${escape}[31m`]].map((words) =>
          cli.run(words, { environment }),
        ),
      );
      for (const { out, err } of outputs) {
        expect(out + err).not.toBe('');
        expect(out + err).not.toContain(escape);
      }
    },
  );
});

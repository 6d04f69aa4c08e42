import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStackCli } from '../../e2e/fixtures/stack-cli.js';

/** Flags of commands for whole stacks that no other test needs, each once, with what it changes. */
const cli = createStackCli('minimal');
const { ok, okJson, ends } = cli;
const inHome = (name: string) => join(cli.directory, name);

beforeAll(cli.start);
afterAll(cli.remove);

describe('Flags of a stack', () => {
  test('logs are cut by time, level, expression and number', async () => {
    await ok('api', 'GET', 'status', '-q');
    const lines = async (...words: readonly string[]) =>
      (await ok('logs', ...words)).split('\n').filter((line) => line !== '');
    expect((await lines('alice', '-n', '2')).length).toBe(2);
    expect(await lines('alice', '--level', 'error')).toEqual([]);
    expect(await lines('--until', '1h')).toEqual([]);
    const since = await lines('alice', '--since', '1h', '-n', '1000');
    const ready = await lines('alice', '--grep', 'Ready', '-n', '1000');
    expect(ready.length).toBeGreaterThan(0);
    expect(await lines('alice', '--grep', 'Ready', '--invert', '-n', '1000')).toHaveLength(since.length - ready.length);
    expect(ready[0]).toMatch(/ alice +info +Ready /);
    expect((await lines('alice', '--grep', 'Ready', '--no-prefix'))[0]).toMatch(/Z info +Ready /);
    expect((await ends('logs', '--message', 'abcd')).said).toContain('debug');
    expect((await ends('logs', '--request', 'abcd')).said).toContain('X-FireFly-Request-ID');
  });

  test('dump has as many events as it is asked for', async () => {
    const folder = await ok('dump', inHome('dumped'), '--events', '3');
    const events = JSON.parse(readFileSync(join(folder, 'parties/alice/events.json'), 'utf8')) as unknown[];
    expect(events).toHaveLength(3);
  });

  test('a fault of one direction ends by itself', async () => {
    expect(await okJson('fault', 'cut', 'alice', 'bob', '--one-way', '--for', '1s')).toMatchObject({
      fault: { oneWay: true, until: expect.any(String) as string },
    });
    await expect.poll(() => okJson('fault', 'list')).toMatchObject({ faults: [] });
  });

  test('settings and templates are shown, copied and checked where it is said', async () => {
    expect(await ok('config', 'show', '--no-origin', '--no-headers')).not.toContain('stack.yaml');
    expect(await ok('config', 'path', '--user')).toMatch(/parley\/config\.yaml$/);
    expect(await ok('template', 'new', 'own', '--from', 'minimal', '--here', '-q')).toBe(inHome('templates/own'));
    expect(existsSync(inHome('templates/own/template.yaml'))).toBe(true);
    expect(await ok('template', 'validate', './templates/own')).toContain('valid');
    expect(await ok('export', 'systemd', '-o', 'dev.service')).toContain('dev.service');
    expect(readFileSync(inHome('dev.service'), 'utf8')).toContain('[Service]');
  });

  test('init tries, and joins what is there, without writing', async () => {
    expect(await ok('init', 'tried', '-n', '2', '--dry-run')).toMatch(/^✓ tried would be created: alice, bob/);
    expect(await ok('init', 'dev', '--if-missing', '--dry-run')).toContain('is there already');
    expect(readdirSync(inHome('home/stacks'))).toEqual(['dev']);
    const { said } = await ends('party', 'join', 'nothing.json', '--advertise', '10.0.0.1');
    expect(said).toContain('there is no file nothing.json');
    expect((await ends('party', 'admit', 'nothing.json')).said).toContain('there is no file nothing.json');
  });

  test('questions that cannot be asked are exit 2, and name the flag', async () => {
    await ok('snapshot', 'save', 'before', '-q');
    const asking = ['reset', 'start --fresh', 'remove', 'snapshot restore before', 'snapshot remove before'];
    for (const words of asking) {
      expect(await ends(...words.split(' '), '--no-input')).toMatchObject({
        code: 2,
        said: expect.stringContaining('--yes'),
      });
    }
    expect(await ok('reset', '--dry-run')).toMatch(/would/);
    await ok('snapshot', 'export', 'before', 'before.tar.gz', '-q');
    await ok('snapshot', 'import', 'before.tar.gz', '--name', 'again', '-q');
    await ok('snapshot', 'remove', 'again', '--yes', '-q');
  });

  test('--no-restart leaves it stopped, and --all stops every one', async () => {
    await ok('broadcast', 'gone', '--wait', 'all', '-q');
    await ok('snapshot', 'restore', 'before', '--yes', '--no-restart', '--progress', 'none', '-q');
    expect(await okJson('status')).toMatchObject({ state: 'stopped' });
    await ok('start', '-q', '--progress', 'none');
    expect(await okJson('stop', '--all')).toMatchObject({ stopped: ['dev'] });
    await ok('reset', '--yes', '--no-restart', '-q');
    expect(await okJson('status')).toMatchObject({ state: 'stopped' });
    await ok('start', '--fresh', '--yes', '--open', '--smoke', '-q');
    expect(await okJson('messages', 'list')).toEqual([]);
    const kept = await okJson('remove', 'dev', '--yes', '--keep-snapshots');
    expect(kept).toMatchObject({ removed: ['dev'] });
    expect(
      readdirSync(cli.directory)
        .concat(readdirSync(inHome('home')))
        .join(' '),
    ).toMatch(/before.*\.tar\.gz/);
  });
});

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseForm } from '../../../src/ports/database-form.js';
import { placeFrom } from '../../../src/stack/layout.js';
import { loadStack, type Stack } from '../../../src/stack/places/locate.js';
import { readForms } from '../../../src/stack/upgrade/state-form.js';
import { namesIn } from '../../../src/supervisor/machine/directory.js';
import { type Cli, createCli, type Ended } from '../../e2e/fixtures/cli.js';
import { factsOf } from '../../e2e/fixtures/facts.js';

/**
 * A network created by the version before format 10: two parties, a broadcast, a private message, a pool and a mint.
 */
const archive = fileURLToPath(new URL('../../e2e/fixtures/states/form-9.tar.gz', import.meta.url));

describe('A stack of an older version', () => {
  let cli: Cli;
  let stack: Stack;

  beforeAll(async () => {
    cli = createCli();
    await ok('snapshot', 'import', archive, '--as', 'old');
    stack = await loadStack(placeFrom(cli.environment), 'old');
  });
  afterAll(async () => {
    await cli.run(['remove', '--all', '--yes', '--force']);
    await cli.remove();
  });

  async function ok(...words: string[]): Promise<Ended> {
    const ended = await cli.run(words);
    expect({ words, code: ended.code, err: ended.err }).toMatchObject({ code: 0 });
    return ended;
  }

  const forms = async () => Object.values(await readForms(stack));

  test('is refused by commands that would start it, which name the command that upgrades it', async () => {
    for (const words of [['start'], ['restart'], ['start', '--no-wait']]) {
      const { code, err } = await cli.run([...words, 'old']);
      expect({ words, code }).toEqual({ words, code: 10 });
      expect(err).toContain('stack upgrade old');
    }
    expect(await forms()).toEqual([9, 9]);
    const { code, out } = await cli.run(['start', 'old', '--json']);
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 10, error: { code: 'STATE_OLDER' } });
  });

  test('is not changed by a dry run', async () => {
    const { out } = await ok('upgrade', 'old', '--dry-run');
    expect(out).toContain(`from form 9 to ${databaseForm}`);
    expect(await forms()).toEqual([9, 9]);
    expect(await namesIn(stack.layout.snapshots)).toEqual([]);
  });

  test('is not stopped for a snapshot that cannot be saved', async () => {
    await ok('config', 'set', 'store={provider: ipfs, api: "http://127.0.0.1:9"}', '-s', 'old');
    for (const words of [[], ['--dry-run']]) {
      const { code, err } = await cli.run(['upgrade', 'old', ...words]);
      expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('upgrade old --no-snapshot') });
    }
    expect(await namesIn(stack.layout.logs)).toEqual([]);
    await ok('config', 'set', 'store={provider: local}', '-s', 'old');
  });

  test('killed during its upgrade, continues with it, and has one snapshot of the previous state', async () => {
    for (const moment of ['snapshots/before-upgrade', 'data/upgrade.json', 'run/plan.json']) {
      const running = cli.begin(['upgrade', 'old']);
      const [folder = '', name = ''] = moment.split('/');
      const isThere = async () => (await namesIn(join(stack.layout.directory, folder))).includes(name);
      await expect.poll(async () => running.child.exitCode !== null || (await isThere()), { interval: 5 }).toBe(true);
      running.child.kill('SIGKILL');
      await running.ended;
    }
    const { out } = await ok('upgrade', 'old', '--json');
    const upgraded = JSON.parse(out) as { readonly snapshot: string };
    expect(upgraded).toMatchObject({ from: 9, to: databaseForm, upgraded: true });
    expect(await forms()).toEqual([databaseForm, databaseForm]);
    const saved = JSON.parse((await ok('snapshot', 'list', '-s', 'old', '--json')).out) as {
      readonly snapshots: readonly { readonly name: string; readonly databaseForm: number }[];
    };
    expect(saved.snapshots.map((snapshot) => snapshot.databaseForm)).toEqual(saved.snapshots.map(() => 9));
    expect(saved.snapshots.map(({ name }) => name)).toContain(upgraded.snapshot);
    await ok('start', 'old');
    expect(JSON.parse((await ok('upgrade', 'old', '--json')).out)).toMatchObject({ upgraded: false });
  });

  test('has all its data, and continues', async () => {
    const facts = (await factsOf(stack)) as Record<
      string,
      { readonly messages: readonly { readonly state: string }[] }
    >;
    expect(facts['bob']?.messages.map(({ state }) => state)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    const balances = JSON.parse((await ok('balances', '-s', 'old', '--json')).out) as readonly { balance: string }[];
    expect(balances.map(({ balance }) => balance)).toEqual(['100']);
    await ok('broadcast', 'on', '-s', 'old', '--wait', 'all');
    await ok('transfer', '40', '--pool', 'coins', '--to', 'alice', '-p', 'bob', '-s', 'old', '--wait', 'all');
  });

  test('returns to its previous state, stopped, and can be upgraded again', async () => {
    const { err } = await ok('snapshot', 'restore', 'before-upgrade', '-s', 'old', '--yes');
    expect(err).toContain('stack upgrade old');
    expect(await forms()).toEqual([9, 9]);
    expect((await cli.run(['start', 'old'])).code).toBe(10);
    const { err: progress } = await ok('upgrade', 'old', '--timeout', '5m', '--progress', 'json');
    expect(progress).toContain('"service":"alice","state":"healthy"');
    expect(await forms()).toEqual([databaseForm, databaseForm]);
    const { out } = await ok('status', 'old', '--json');
    expect(JSON.parse(out)).toMatchObject({ state: 'stopped' });
  });
});

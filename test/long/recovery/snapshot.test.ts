import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { placeFrom } from '../../../src/stack/layout.js';
import { loadStack, type Stack } from '../../../src/stack/places/locate.js';
import { listSnapshots } from '../../../src/stack/snapshot/list.js';
import { readManifest, requireIntact } from '../../../src/stack/snapshot/manifest.js';
import { isErrno } from '../../../src/supervisor/files/json-file.js';
import { freePortBase } from '../../support/port-base.js';
import { type Cli, createCli } from '../../e2e/fixtures/cli.js';
import { factsOf, listAll, post, rpc, urlsOf } from '../../e2e/fixtures/facts.js';

/** 10000 for a long run; the checks are the same. */
const messages = Number(process.env['SNAPSHOT_MESSAGES'] ?? 400);

describe('Snapshots of a stack', () => {
  let cli: Cli;
  let stack: Stack;

  beforeAll(async () => {
    cli = createCli();
    await ok('init', 'dev', '-t', 'default', '--port-base', String(await freePortBase()));
    await ok('start', 'dev', '-q');
    stack = await open('dev');
    await ok('pool', 'create', 'coins', '--type', 'fungible', '-q');
  });
  afterAll(async () => {
    await cli.run(['remove', '--all', '--yes', '--force']);
    await cli.remove();
  });

  const open = (name: string) => loadStack(placeFrom(cli.environment), name);

  async function ok(...words: string[]): Promise<string> {
    const { code, out, err } = await cli.run(words);
    expect({ words, code, err }).toMatchObject({ code: 0 });
    return out.trim();
  }

  /** Starts a command and kills it as soon as a path below a directory matches, unless it exits before. */
  async function killAt(words: string[], directory: string, moment: RegExp): Promise<void> {
    const before = new Set(await pathsIn(directory));
    const running = cli.begin(words);
    await expect
      .poll(
        async () => {
          const paths = (await pathsIn(directory)).filter((path) => !before.has(path));
          return running.child.exitCode !== null || paths.some((path) => moment.test(path));
        },
        { interval: 5 },
      )
      .toBe(true);
    running.child.kill('SIGKILL');
    await running.ended;
  }

  /** Sends this many messages and mints from all parties at once. Calls back with each accepted one. */
  async function sendMany(count: number, onAccepted: (id: string) => void): Promise<void> {
    const urls = await urlsOf(stack);
    const senders = stack.settings.parties.flatMap(({ name }) => Array.from({ length: 4 }, () => urls.get(name) ?? ''));
    let sent = 0;
    const send = async (url: string): Promise<void> => {
      while (sent < count) {
        const n = sent++;
        if (n % 40 === 7) await post(urls.get('alice') ?? '', 'tokens/mint', { pool: 'coins', amount: '1' });
        const header = { topics: [`topic-${n % 5}`], tag: 'load' };
        const isPrivate = n % 4 === 3;
        const group = { members: stack.settings.parties.slice(0, 2).map(({ name }) => ({ identity: name })) };
        const route = isPrivate && url !== urls.get('carol') ? 'messages/private' : 'messages/broadcast';
        const body = { header, data: [{ value: { n } }], ...(route === 'messages/private' && { group }) };
        onAccepted(String(((await post(url, route, body))['header'] as { readonly id: string }).id));
      }
    };
    await Promise.all(senders.map(send));
  }

  test('restore histories, balances and blocks as they were, also from the middle of a load', async () => {
    const before: string[] = [];
    const all: string[] = [];
    let saved: Promise<unknown> | undefined;
    await sendMany(messages, (id) => {
      all.push(id);
      if (saved === undefined && all.length >= messages / 3) {
        before.push(...all);
        saved = ok('snapshot', 'save', 'loaded', '--json');
      }
    });
    const manifest = JSON.parse(String(await saved)) as { readonly block: number; readonly blockHash: string };
    await ok('wait', '--for', 'idle', '--timeout', '5m');
    await ok('snapshot', 'save', 'quiet');
    const quiet = await factsOf(stack);
    expect((quiet['alice'] as { readonly messages: unknown[] }).messages.length).toBeGreaterThan(0);
    await sendMany(100, () => undefined);
    await ok('snapshot', 'restore', 'quiet', '--yes', '-q');
    expect(await factsOf(stack)).toEqual(quiet);

    await ok('snapshot', 'restore', 'loaded', '--yes', '-q');
    await ok('wait', '--for', 'idle', '--timeout', '5m');
    const urls = await urlsOf(stack);
    const block = await rpc<{ readonly hash: string }>(
      urls.get('chain') ?? '',
      'eth_getBlockByNumber',
      `0x${manifest.block.toString(16)}`,
      false,
    );
    expect(block.hash).toBe(manifest.blockHash);
    const histories = await Promise.all(
      stack.settings.parties.map(async ({ name }) => listAll(urls.get(name) ?? '', 'messages')),
    );
    const ids = histories.map((rows) => rows.map(({ header }) => (header as { readonly id: string }).id));
    for (const list of ids) expect(new Set(list).size).toBe(list.length);
    const known = new Set(ids.flat());
    expect(before.filter((id) => !known.has(id))).toEqual([]);
    for (const rows of histories) expect(rows.filter(({ state }) => state !== 'confirmed')).toEqual([]);
    const [alice, , carol] = await Promise.all(
      stack.settings.parties.map(async ({ name }) =>
        (await fetch(`${urls.get(name) ?? ''}/api/v1/namespaces/default/tokens/balances`)).json(),
      ),
    );
    const amounts = (rows: unknown) => (rows as { readonly balance: string }[]).map(({ balance }) => balance);
    expect(amounts(alice)).toEqual(amounts(carol));
  }, 900_000);

  test('killed while they are saved leave none or a complete one, and a stack that continues', async () => {
    const moments = [/^\.saving-/, /^\.saving-[^/]*\/data\/nodes\//, /^\.saving-[^/]*\/manifest\.json/];
    for (const [index, moment] of moments.entries()) {
      await killAt(['snapshot', 'save', `killed-${index}`], stack.layout.snapshots, moment);
      for (const { name, directory } of await listSnapshots(stack)) {
        await requireIntact(directory, await readManifest(directory, name), name);
      }
      await ok('broadcast', 'on', '--wait', 'all', '-q');
    }
  });

  test('killed while they are restored leave the old state or the new one', async () => {
    await ok('snapshot', 'save', 'old');
    await ok('broadcast', 'marker', '--tag', 'marker', '--wait', 'all', '-q');
    await ok('snapshot', 'save', 'new');
    for (const moment of [/^\.restored-/, /^restore\.json$/, /^\.former-[^/]*\/data$/]) {
      await ok('snapshot', 'restore', 'new', '--yes', '-q');
      await killAt(['snapshot', 'restore', 'old', '--yes', '-q'], stack.layout.directory, moment);
      await ok('start', '-q');
      const counts = await Promise.all(
        stack.settings.parties.map(async ({ name }) => {
          const url = (await urlsOf(stack)).get(name) ?? '';
          return (await listAll(url, 'messages')).filter(({ header }) => (header as { tag?: string }).tag === 'marker')
            .length;
        }),
      );
      expect(new Set(counts).size, `killed at ${moment.source}: ${counts.join(' ')}`).toBe(1);
    }
  });

  test('restored twice under other names diverge, and neither mixes with the original', async () => {
    await ok('snapshot', 'restore', 'quiet', '--as', 'left');
    await ok('snapshot', 'export', 'quiet', 'quiet.tar.gz', '-s', 'dev');
    await ok('snapshot', 'import', 'quiet.tar.gz', '--as', 'right');
    for (const name of ['left', 'right']) await ok('start', name, '-q');
    const sent = new Map<string, string[]>();
    for (const name of ['dev', 'left', 'right']) {
      const own = [
        await ok('broadcast', `from ${name}`, '-s', name, '--wait', 'all', '-q'),
        await ok('send', `from ${name}`, '--to', 'bob', '-s', name, '--wait', 'all', '-q'),
      ];
      sent.set(name, own);
    }
    for (const name of ['dev', 'left', 'right']) {
      const url = (await urlsOf(await open(name))).get('bob') ?? '';
      const ids = (await listAll(url, 'messages')).map(({ header }) => (header as { readonly id: string }).id);
      for (const [other, own] of sent) expect(own.map((id) => ids.includes(id))).toEqual(own.map(() => other === name));
    }
  });
});

/** Returns the names in a directory, and in three levels below those that are being created. */
async function pathsIn(directory: string, depth = 3): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  });
  const inside = entries.map(async (entry) => {
    const isLooked = entry.isDirectory() && depth > 0 && (entry.name.startsWith('.') || depth < 3);
    const below = isLooked ? await pathsIn(join(directory, entry.name), depth - 1) : [];
    return [entry.name, ...below.map((path) => `${entry.name}/${path}`)];
  });
  return (await Promise.all(inside)).flat();
}

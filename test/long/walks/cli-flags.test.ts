import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { byCommand, createStackCli } from '../../e2e/fixtures/stack-cli.js';
import { startWebhookTarget } from '../../support/webhook-target.js';

/** Flags of requests that no other test uses, each once, with its effect. */
const cli = createStackCli('default');
const { ok, okJson, ends } = cli;
const inHome = (name: string) => join(cli.directory, name);

beforeAll(async () => {
  await cli.start();
  writeFileSync(inHome('note.txt'), 'a note');
  writeFileSync(inHome('order-1.0.json'), '{"type":"object","required":["order"]}');
  await ok('datatype', 'define', 'order-1.0.json', '--key', 'alice', '--timeout', '1m', '--wait', 'all', '-q');
  await ok('pool', 'create', 'coins', '--type', 'fungible', '--key', 'alice', '--wait', 'all', '-q');
  await ok('pool', 'create', 'deeds', '--type', 'nonfungible', '--config', 'blockNumber=0', '--wait', 'all', '-q');
});
afterAll(cli.remove);

interface Message {
  readonly header: { readonly id: string; readonly key: string };
}

describe('Flags that send', () => {
  test('--key takes the name of an identity', async () => {
    const { header } = (await okJson('broadcast', 'x', '--key', 'bob', '-p', 'bob')) as Message;
    expect(header.key).toBe((await addresses())['bob']);
    expect(await ends('broadcast', 'x', '--key', 'bob')).toMatchObject({
      code: 7,
      said: expect.stringContaining('PY1502'),
    });
    expect(await ends('broadcast', 'x', '--key', 'bop')).toMatchObject({
      code: 3,
      said: expect.stringContaining('bob'),
    });
  });

  test('--text, --no-autometa, --expand, --dry-run and --curl have their documented effect on a request', async () => {
    const words = ['send', '--text', '@{{n}}', '--to', 'bob', '--author', 'alice'];
    expect(await ok(...words, '--dry-run')).toMatch(/^POST .*send\/message\n.*"value":"@\{\{n\}\}"/);
    expect(await ok(...words, '--dry-run', '--expand')).toContain('"value":"@1"');
    expect(await ok(...words, '-f', 'note.txt', '--curl', '--progress', 'none')).toContain('-F autometa=true');
    expect(await ok(...words, '-f', 'note.txt', '--curl', '--no-autometa')).not.toContain('autometa=true');
    for (const verb of ['mint', 'transfer', 'burn']) {
      const more = verb === 'transfer' ? ['--to', 'carol'] : [];
      expect(await ok(verb, '3', '--pool', 'coins', ...more, '--dry-run')).toMatch(
        /^POST .*\n\{"amount":"3","pool":"coins"/,
      );
      expect(await ok(verb, '3', '--pool', 'coins', ...more, '--curl')).toMatch(/^curl .*"amount":"3"/);
    }
  });

  test('--idempotent finds the earlier message or operation, and refuses other contents', async () => {
    const send = ['send', 'once', '--to', 'bob', '--idempotent', 'one', '-q'];
    expect(await ok(...send)).toBe(await ok(...send));
    expect(await ends('send', 'twice', '--to', 'bob', '--idempotent', 'one')).toMatchObject({ code: 10 });
    await ok('mint', '10', '--pool', 'coins', '-q');
    for (const words of [
      ['transfer', '1', '--to', 'carol'],
      ['burn', '1'],
    ]) {
      const once = [...words, '--pool', 'coins', '--idempotent', String(words[0]), '--progress', 'none', '-q'];
      expect(await ok(...once)).toBe(await ok(...once));
    }
    expect(await ends('burn', '2', '--pool', 'coins', '--idempotent', 'burn')).toMatchObject({ code: 10 });
  });

  test('--count, --rate and --keep-going send many, and --lines continues after a wrong one', async () => {
    const many = await ok('send', '{"n":{{n}}}', '--to', 'bob', '--count', '3', '--rate', '20/s', '-q');
    expect(new Set(many.split('\n')).size).toBe(3);
    const input = '{"a":1}\n{"a":\n{"a":2}\n';
    const { code, out } = await cli.run(['send', '--to', 'bob', '--lines', '--keep-going', '-q'], { input });
    expect([code, out.trim().split('\n').length]).toEqual([2, 2]);
  });

  test('data upload takes a value with its datatype, a file with a name, or neither', async () => {
    const typed = ['data', 'upload', '--datatype', 'order@1.0', '--value'];
    expect(await okJson(...typed, '{"order":1}')).toMatchObject({ value: { order: 1 }, datatype: { name: 'order' } });
    expect(await ends(...typed, '{"other":1}')).toMatchObject({ code: 7 });
    expect(await okJson('data', 'upload', 'note.txt', '--progress', 'none')).toMatchObject({
      value: { filename: 'note.txt' },
    });
    expect(await okJson('data', 'upload', 'note.txt', '--no-autometa')).toMatchObject({ value: null });
    expect(await ends('data', 'upload')).toMatchObject({ code: 2 });
  });
});

describe('Flags of tokens', () => {
  test('a burn, a mint and a transfer take messages from files, with recipients, tag and topic', async () => {
    const message = [
      '--message-file',
      'note.txt',
      '--message-to',
      'bob',
      '--tag',
      'bye',
      '--topic',
      'ends',
      '--timeout',
      '1m',
    ];
    await ok('mint', '20', '--pool', 'coins', '-q', ...message);
    await ok('transfer', '1', '--to', 'bob', '--pool', 'coins', '-q', ...message);
    await ok('burn', '1', '--pool', 'coins', '--from', 'alice', '-q', ...message);
    const ids = (await ok('messages', 'list', '-p', 'bob', '--tag', 'bye', '--topic', 'ends', '-q')).split('\n');
    expect(ids).toHaveLength(3);
    expect(await ok('messages', 'list', '-p', 'carol', '--tag', 'bye', '-q')).toBe('');
  });

  test('--uri, --token-index and --no-wait apply to single tokens and to asynchronous calls', async () => {
    await ok('mint', '1', '--pool', 'deeds', '--uri', 'https://example.com/1', '-q');
    const index = String(((await okJson('balances', '--pool', 'deeds')) as { tokenIndex: string }[])[0]?.tokenIndex);
    const transfer = ['transfer', '1', '--pool', 'deeds', '--token-index', index, '--to', 'bob', '--no-wait', '-q'];
    const id = await ok(...transfer);
    await expect.poll(async () => (await ends('transfers', 'get', id)).code, byCommand).toBe(0);
    expect(await ok('balances', '--pool', 'deeds', '--key', 'bob', '-q')).toBe('1');
    for (const verb of ['mint', 'burn']) await ok(verb, '1', '--pool', 'coins', '--no-wait', '-q');
  });

  test('pool approve takes a key and a limit, and --revoke revokes it', async () => {
    const approve = ['pool', 'approve', 'bob', '--pool', 'coins', '--key', 'alice', '--timeout', '1m'];
    expect(await okJson(...approve)).toMatchObject({ approved: true });
    await ok('transfer', '1', '--pool', 'coins', '--from', 'alice', '--to', 'carol', '-p', 'bob', '-q');
    await ok(...approve, '--revoke', '-q');
    const moved = await ends('transfer', '1', '--pool', 'coins', '--from', 'alice', '--to', 'carol', '-p', 'bob');
    expect(moved.code).toBe(7);
    await ok('pool', 'approve', 'carol', '--pool', 'coins', '--no-wait', '-q');
  });

  test('transfers are found by their sender', async () => {
    const kinds = (await okJson('transfers', '--from', 'alice', '--pool', 'coins', '--all')) as { type: string }[];
    expect(new Set(kinds.map(({ type }) => type))).toEqual(new Set(['transfer', 'burn']));
    expect(await ends('transfers', '--from', 'zoe')).toMatchObject({ code: 3 });
  });
});

describe('Flags of lists', () => {
  const lists = ['messages list', 'data list', 'datatype list', 'groups list', 'events list', 'pool list', 'transfers'];

  test.each([...lists, 'balances'])('%s takes pages, filters, columns, and --all', async (list) => {
    const words = list.split(' ');
    const all = (await okJson(...words, '--all')) as unknown[];
    expect(await okJson(...words, '--limit', '1')).toHaveLength(1);
    expect(await okJson(...words, '--skip', String(all.length - 1), '--limit', '5')).toHaveLength(1);
    expect(await ends(...words, '--filter', 'nothing=1')).toMatchObject({
      code: 7,
      said: expect.stringContaining('FF00142'),
    });
    const { said } = await ends(...words, '--columns', 'nothing');
    const [, names = ''] = /Columns are (.*)\./.exec(said) ?? [];
    const [first = ''] = names.split(', ');
    const shown = await ok(...words, '--columns', first, '--no-headers', '--limit', '1');
    expect(shown.split('\n')).toHaveLength(1);
    expect(shown).not.toBe(first);
  });

  test('messages are found by state and by group', async () => {
    const group = await ok('groups', 'list', '--limit', '1', '-q');
    const found = (await okJson(
      'messages',
      'list',
      '--group',
      group.slice(0, 8),
      '--confirmed',
      '--limit',
      '2',
    )) as Message[];
    expect(found.map(({ header }) => header)).toEqual([
      expect.objectContaining({ group }),
      expect.objectContaining({ group }),
    ]);
    expect(await okJson('messages', 'list', '--pending')).toEqual([]);
    const unknown = group.startsWith('ffff') ? '0000ffff' : 'ffff0000';
    expect(await ends('messages', 'list', '--group', unknown)).toMatchObject({ code: 3 });
    expect(await ends('datatype', 'get', 'oder')).toMatchObject({
      code: 3,
      said: expect.stringContaining('did you mean "order"'),
    });
    expect(await ends('datatype', 'get', 'order@9.9')).toMatchObject({
      code: 3,
      said: expect.stringContaining('order has no version "9.9"; known: 1.0.'),
    });
    expect(await okJson('datatype', 'list', '--name', 'order')).toMatchObject([{ name: 'order', version: '1.0' }]);
  });

  test('subscriptions are filtered and paged, and created for an author and a group', async () => {
    const group = await ok('groups', 'list', '--limit', '1', '-q');
    await ok('subs', 'create', 'one', '--author', 'alice', '--group', group, '-q');
    await ok('subs', 'create', 'two', '-q');
    expect(await okJson('subs', 'get', 'one')).toMatchObject({ filter: { message: { author: 'alice', group } } });
    expect(await okJson('subs', 'list', '--filter', 'name=two')).toMatchObject([{ name: 'two' }]);
    expect((await ok('subs', 'list', '--all', '-q')).split('\n')).toHaveLength(2);
    expect(await okJson('subs', 'list', '--limit', '1', '--skip', '1')).toHaveLength(1);
    expect(await ends('subs', 'delete', 'one', '--no-input')).toMatchObject({
      code: 2,
      said: expect.stringContaining('--yes'),
    });
    for (const name of ['one', 'two']) await ok('subs', 'delete', name, '--yes', '-q');
  });
});

describe('Flags that follow', () => {
  test('filters of events tail and forward leave out what does not match', async () => {
    const group = await ok('groups', 'list', '--limit', '1', '-q');
    const tail = ['events', 'tail', '--since', 'oldest', '--type', '^message_confirmed$', '-q'];
    const id = await ok('send', 'for the tail', '--to', 'bob', '--tag', 'tail', '-q');
    expect(await ok(...tail, '--tag', '^tail$', '--author', 'alice', '--group', group, '--count', '1')).toBe(id);
    expect(await ends(...tail, '--author', '^did:parley:org/zoe$', '--timeout', '500ms')).toMatchObject({ code: 5 });
    const target = await startWebhookTarget();
    onTestFinished(() => target.goDown());
    const forward = ['events', 'forward', '--to', target.url, '--since', 'oldest'];
    const nothing = ['--tag', '^none$', '--topic', 'default', '--author', 'alice', '--group', group];
    const silent = await ends(...forward, ...nothing, '--all-parties', '--no-reconnect', '--timeout', '500ms');
    expect(silent).toMatchObject({ code: 5, said: expect.not.stringContaining('→') });
    const durable = ['--tag', '^tail$', '--durable', 'fwd', '--create', '--count', '1', '--timeout', '1m'];
    expect(await ok(...forward, ...durable)).toContain('→ message_confirmed');
    expect(target.calls).toHaveLength(1);
    expect(await okJson('subs', 'list')).toMatchObject([{ name: 'fwd' }]);
  });

  test('messages watch and api stop at their limit', async () => {
    await ok('chain', 'pause');
    const id = await ok('broadcast', 'held', '--no-wait', '-q');
    expect(await ends('messages', 'watch', id, '--timeout', '500ms')).toMatchObject({ code: 5 });
    expect(await ends('api', 'GET', 'status', '--include', '--timeout', '1m')).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^HTTP/),
    });
    await ok('chain', 'resume');
    await ok('messages', 'watch', id, '--timeout', '1m', '-q');
  });
});

async function addresses(): Promise<Readonly<Record<string, string>>> {
  const { parties } = (await okJson('party', 'list')) as {
    readonly parties: readonly { name: string; address: string }[];
  };
  return Object.fromEntries(parties.map(({ name, address }) => [name, address]));
}

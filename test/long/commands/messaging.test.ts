import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStackCli } from '../../e2e/fixtures/stack-cli.js';

const cli = createStackCli('default');
const { ok, okJson, ends } = cli;
const none = '00000000-0000-4000-8000-000000000000';

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const inHome = (name: string) => join(cli.directory, name);

beforeAll(cli.start);
afterAll(cli.remove);

describe('A private message from the command line', () => {
  test('is confirmed at its members with its spelling, and unknown to all other parties', async () => {
    const value = '{"n":1.0,"b":12345678901234567890}';
    const sent = await okJson('send', value, '--to', 'bob', '--wait', 'all', '--topic', 'offers');
    expect(sent).toMatchObject({
      header: { type: 'private', txtype: 'batch_pin', topics: ['offers'] },
      stack: { parties: { alice: { state: 'confirmed' }, bob: { state: 'confirmed' } } },
    });
    expect(sent).not.toHaveProperty('stack.parties.carol');
    const id = await ok('messages', 'list', '--type', 'private', '--topic', 'offers', '-q');
    expect(await ok('messages', 'data', id.slice(0, 8), '-p', 'bob', '-q')).toBe(value);
    expect((await ends('messages', 'get', id, '-p', 'carol')).code).toBe(3);
    expect(await okJson('messages', 'get', id.slice(0, 8), '--party', 'all')).toMatchObject({
      schemaVersion: 1,
      id,
      parties: { alice: { state: 'confirmed' }, bob: { state: 'confirmed' }, carol: { note: 'knows no such message' } },
    });
    const everywhere = await ok('messages', 'data', id.slice(0, 8), '--party', 'all', '--json');
    expect(everywhere.split(`"value":${value}`)).toHaveLength(3);
    expect(JSON.parse(everywhere)).toMatchObject({ parties: { carol: { note: 'knows no such message' } } });
  });

  test('goes to a group by its hash, also unpinned, and the group is shown by name', async () => {
    const { header }: { header: { group: string } } = JSON.parse(await ok('send', '1', '--to', 'bob,carol', '--json'));
    const again = await okJson('send', '2', '--group', header.group.slice(0, 10), '--unpinned', '--wait', 'all');
    expect(again).toMatchObject({
      header: { txtype: 'none', group: header.group },
      stack: { parties: { alice: {}, bob: {}, carol: { state: 'confirmed' } } },
    });
    expect(await ok('groups', 'list', '-p', 'carol', '--columns', 'members', '--no-headers')).toBe('alice,bob,carol');
    expect((await ok('groups', 'get', header.group.slice(0, 8), '-q')).split('\n')).toHaveLength(3);
    expect(await ok('send', 'x', '--to', 'bob')).toMatch(/^private [0-9a-f-]{36} → bob · group [0-9a-f]{64} · /);
  });

  test('is one of many with --lines and --count', async () => {
    const lines = await cli.run(['send', '--lines', '--to', 'bob', '-q'], { input: '"a"\n"b"\n' });
    expect(lines.code).toBe(0);
    const values = lines.out.trim().split('\n');
    expect(await Promise.all(values.map((id) => ok('messages', 'data', id, '-q')))).toEqual(['"a"', '"b"']);
    const counted = await ok('send', '{"n":{{n}}}', '--count', '3', '--to', 'bob', '--tag', 'counted', '-q');
    expect(counted.split('\n')).toHaveLength(3);
    expect((await ok('messages', 'list', '--tag', '^count', '--all', '-q')).split('\n')).toHaveLength(3);
  });

  test('is refused for unknown names, and for a group without the sender', async () => {
    expect((await ends('send', '1', '--to', 'nobody')).code).toBe(7);
    expect((await ends('send', '1')).code).toBe(2);
    const { header }: { header: { group: string } } = JSON.parse(
      await ok('send', '1', '--to', 'carol', '-p', 'bob', '--wait', 'all', '--json'),
    );
    expect((await ends('send', '1', '--group', header.group)).code).toBe(3);
    expect((await ends('send', '1', '--group', header.group.slice(0, 8))).code).toBe(3);
  });

  test('is watched from the command line until it is final', async () => {
    const id = await ok('send', '"watched"', '--to', 'bob', '--no-wait', '-q');
    const lines = (await ok('messages', 'watch', id, '--party', 'all')).split('\n');
    expect(lines.filter((line) => line.endsWith(' confirmed')).map((line) => line.split(' ')[1])).toEqual(
      expect.arrayContaining(['alice', 'bob']),
    );
    expect(lines.some((line) => line.includes(' carol '))).toBe(false);
    expect((await ends('messages', 'watch', none)).code).toBe(3);
  });
});

describe('A file from the command line', () => {
  const bytes = randomBytes(50 * 1_024 * 1_024);

  test('arrives byte for byte at its recipient, through a pipe and from a file', async () => {
    writeFileSync(inHome('plan.bin'), bytes);
    await ok('send', 'the plan', '-f', inHome('plan.bin'), '--to', 'bob', '--wait', 'all', '--topic', 'files');
    const data = await ok('data', 'list', '-p', 'bob', '--filter', 'blob.name=plan.bin', '-q');
    await ok('data', 'download', data.slice(0, 8), '-p', 'bob', '-o', inHome('got.bin'));
    expect(sha256(readFileSync(inHome('got.bin')))).toBe(sha256(bytes));
    expect((await ends('data', 'download', data, '-p', 'carol')).code).toBe(3);
    const piped = await cli.shell(
      `cat plan.bin | stack data upload - --name piped -q > id && stack data download "$(cat id)" -o - > piped.bin`,
    ).ended;
    expect(piped.code).toBe(0);
    expect(sha256(readFileSync(inHome('piped.bin')))).toBe(sha256(bytes));
    expect(readdirSync(cli.directory).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('is placed among the values in the typed order, with or without a description', async () => {
    writeFileSync(inHome('a.txt'), 'a');
    const id = await ok('broadcast', '1', '-f', inHome('a.txt'), '-d', '2', '--wait', 'all', '-q');
    const items: { value: unknown; blob?: { size: number } }[] = JSON.parse(
      await ok('messages', 'data', id, '-p', 'carol', '--json'),
    );
    expect(items).toMatchObject([
      { value: 1 },
      { value: { filename: 'a.txt', mimetype: 'text/plain', size: 1 }, blob: { name: 'a.txt', size: 1 } },
      { value: 2 },
    ]);
    const bare = await ok('broadcast', '-f', inHome('a.txt'), '--no-autometa', '--wait', 'local', '-q');
    expect(JSON.parse(await ok('messages', 'data', bare, '--json'))).toMatchObject([
      { value: null, blob: { size: 1 } },
    ]);
  });

  test('replaces no existing file, and must exist', async () => {
    writeFileSync(inHome('b.txt'), 'b');
    const id = await ok('data', 'upload', inHome('b.txt'), '-q');
    const taken = await cli.run(['data', 'download', id], { directory: cli.directory });
    expect(taken.code).toBe(10);
    expect((await ends('data', 'upload', inHome('absent'))).code).toBe(2);
    expect((await ends('data', 'upload', '-')).code).toBe(2);
    expect((await ends('broadcast', '1', '-f', inHome('absent'))).code).toBe(2);
    expect((await ends('data', 'get', none)).code).toBe(3);
    expect(await ok('data', 'get', id.slice(0, 8), '-q')).toBe('{"filename":"b.txt","mimetype":"text/plain","size":1}');
  });

  test('is printed as shell commands that do what the send would', async () => {
    const commands = await ok('broadcast', '"via curl"', '-f', inHome('b.txt'), '--topic', 'curl', '--curl');
    const ran = await cli.shell(commands).ended;
    expect(ran.code).toBe(0);
    const { header }: { header: { id: string } } = JSON.parse(ran.out);
    await ok('wait', '--for', `message=${header.id}`);
    expect(JSON.parse(await ok('messages', 'data', header.id, '--json'))).toMatchObject([
      { value: 'via curl' },
      { blob: { name: 'b.txt' } },
    ]);
  });
});

describe('A datatype from the command line', () => {
  test('is defined once, and validates values everywhere', async () => {
    writeFileSync(inHome('order-1.0.json'), '{"type":"object","required":["order"]}');
    expect(await ok('datatype', 'define', inHome('order-1.0.json'), '--author', 'alice', '--wait', 'all')).toBe(
      'order@1.0 usable at 3/3 parties',
    );
    const again = ['datatype', 'define', inHome('order-1.0.json')];
    expect(await ok(...again, '-p', 'bob')).toBe('order@1.0 usable at bob · defined before');
    expect(JSON.parse(await ok(...again, '--json'))).toMatchObject({ stack: { duplicate: true } });
    writeFileSync(inHome('other.json'), '{"type":"string"}');
    const lost = await ends('datatype', 'define', inHome('other.json'), '--name', 'order', '--version', '1.0');
    expect(lost.code).toBe(7);
    expect(await ok('datatype', 'get', 'order', '-p', 'bob', '-q')).toBe('{"type":"object","required":["order"]}');
    expect(await ok('datatype', 'validate', 'order@1.0', '{"order":1}')).toBe('valid');
    const invalid = await cli.run(['datatype', 'validate', 'order@1.0', '{"sku":1}', '--json']);
    expect(invalid.code).toBe(7);
    expect(JSON.parse(invalid.out)).toMatchObject({ valid: false, errors: [{ path: '' }] });
    await ok('broadcast', '{"order":1}', '--datatype', 'order@1.0', '--wait', 'all');
    expect((await ends('send', '{"sku":1}', '--datatype', 'order@1.0', '--to', 'bob')).code).toBe(7);
    expect((await ends('datatype', 'get', 'nothing')).code).toBe(3);
    expect(await ok('datatype', 'list', '--columns', 'name,version', '--no-headers')).toBe('order\t1.0');
  });
});

describe('Lists from the command line', () => {
  test('are read whole by key, each record once and unchanged', async () => {
    const all = await ok('messages', 'list', '--all', '--json');
    const messages: readonly { readonly header: { readonly id: string } }[] = JSON.parse(all);
    const ids = messages.map(({ header }) => header.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.parse(await ok('api', 'GET', 'messages?limit=0&count'))).toMatchObject({ total: ids.length });
    const events = (await ok('events', 'list', '--all', '-q', '-p', 'bob')).split('\n');
    expect(new Set(events).size).toBe(events.length);
    const sequences = (await ok('events', 'list', '--limit', '3', '--columns', 'sequence', '--no-headers')).split('\n');
    expect(sequences.map(Number)).toEqual(sequences.map(Number).toSorted((a, b) => a - b));
    const [first = ''] = sequences;
    expect(
      (await ok('events', 'list', '--since', first, '--limit', '2', '--columns', 'sequence', '--no-headers')).split(
        '\n',
      ),
    ).toEqual(sequences.slice(1));
  });

  test('show the members, and find messages by author and time', async () => {
    expect(await okJson('party', 'list')).toMatchObject({
      schemaVersion: 1,
      parties: [{ name: 'alice', did: 'did:parley:org/alice', state: 'healthy' }, { name: 'bob' }, { name: 'carol' }],
    });
    const id = await ok('broadcast', '"from bob"', '-p', 'bob', '--wait', 'all', '-q');
    expect(await ok('messages', 'list', '--author', 'bob', '--since', '5m', '-q')).toContain(id);
    expect((await ends('messages', 'list', '--filter', 'nonsense')).code).toBe(2);
    expect((await ends('messages', 'get', 'zz')).code).toBe(2);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import Broadcast from '../../../../../src/cli/commands/broadcast.js';
import { CliError } from '../../../../../src/cli/errors/exit.js';
import { loadConfig } from '../../../../../src/cli/main.js';
import { sendMessage } from '../../../../../src/cli/messages/sending/send-message.js';
import type { SendFlags } from '../../../../../src/cli/messages/sending/send-flags.js';
import { sha256 } from '../../../../../src/domain/hash.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import { aStatus } from '../../explain/an-inspection.js';
import { memoryOutput } from '../../memory-output.js';
import { type Came, type PlainNode, type Reply, startPlainNode } from '../../plain-node.js';
import { sendWords } from './send-words.js';

const root = new URL('../../../../..', import.meta.url).pathname;
const messageId = 'b27d4f91-0c6e-4a58-9b3f-5d8e1a2c7b02';
const dataId = '52d9e1f0-7b3a-4c86-9e0d-4f8a6b2c1d06';
const hash = '26b3fc284df96edf2ecb3f59cfb346a3f0db5de879e18d896323e96e61eb346f';
const folder = mkdtempSync(join(tmpdir(), 'parley-send-'));
const file = join(folder, 'hello.txt');
writeFileSync(file, 'hello parley\n');

let node: PlainNode | undefined;
afterEach(async () => {
  await node?.stop();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function message(type: string, state: string) {
  const group = type === 'private' ? { group: hash } : {};
  return {
    header: { id: messageId, type, author: 'did:parley:org/alice', ...group, topics: ['default'], topic: ['default'] },
    hash,
    state,
    data: [],
    ...(state === 'ready' ? {} : { confirmed: '2026-01-15T10:00:02.400Z' }),
  };
}

/** Starts a node that confirms what it accepts; `over` returns the answers of a test. */
async function confirming(over: (came: Came) => Reply | undefined = () => undefined): Promise<PlainNode> {
  node = await startPlainNode((came) => over(came) ?? usual(came));
  return node;
}

function usual({ method, path, query }: Came): Reply | undefined {
  const type = node?.came.some((came) => came.path === 'send/message') === true ? 'private' : 'broadcast';
  if (method === 'POST' && path === 'data') return { body: { id: dataId, value: null } };
  if (method === 'POST') return { status: 202, body: message(type, 'ready') };
  if (path === `messages/${messageId}`) return { body: message(type, 'confirmed') };
  if (path === `groups/${hash}`) {
    const members = ['alice', 'bob'].map((name) => ({ identity: `did:parley:org/${name}`, node: messageId }));
    return { body: { hash, members } };
  }
  if (path === 'data' && query.get('id') === '^52d9') return { body: [{ id: dataId }] };
  return undefined;
}

const words = (given: Partial<SendFlags>) => sendWords({ url: node?.url, ...given });

async function send(given: Partial<SendFlags>, modes: { isJson?: boolean; isQuiet?: boolean } = {}) {
  const written = memoryOutput({ modes });
  const error: unknown = await sendMessage(words(given), {
    output: written.output,
    environment: {},
    program: 'stack',
    repeatFlags: (hint) => hint,
  }).catch((thrown: unknown) => thrown);
  return { out: written.out(), err: written.err(), error };
}

function bodies(): unknown[] {
  const posts = node?.came.filter(({ method, path }) => method === 'POST' && path !== 'data') ?? [];
  return posts.map(({ path, body }) => [path, JSON.parse(body.toString('utf8'))]);
}

const bob = { to: ['bob'], group: undefined, unpinned: false };
const value = { kind: 'value', text: '{"n": 1.0}' } as const;

describe('a broadcast', () => {
  it('is posted as it was typed, and waited for', async () => {
    await confirming();
    const { out, error } = await send({ items: [value], tag: 't' });
    expect(error).toBeUndefined();
    expect(node?.came.find(({ method }) => method === 'POST')?.body.toString()).toBe(
      '{"header":{"tag":"t"},"data":[{"value":{"n":1.0}}]}',
    );
    expect(out).toMatch(
      new RegExp(`^broadcast ${messageId} · topic default · confirmed at 127.0.0.1:\\d+ in [\\d.]+ m?s\\n$`),
    );
  });

  it('sends its files first, and names them in the order of the words', async () => {
    await confirming();
    const items = [
      value,
      { kind: 'file', text: file },
      { kind: 'data', text: '52d9' },
      { kind: 'text', text: '-' },
    ] as const;
    const { error } = await send({ items });
    expect(error).toBeUndefined();
    const upload = node?.came.find(({ path }) => path === 'data');
    const form = await new Response(new Uint8Array(upload?.body ?? []), {
      headers: { 'content-type': upload?.type ?? '' },
    }).formData();
    const sent = form.get('file');
    if (!(sent instanceof File)) throw new Error('no file came');
    expect([form.get('autometa'), sent.name, sent.type, await sent.text()]).toEqual([
      'true',
      'hello.txt',
      'text/plain',
      'hello parley\n',
    ]);
    expect(bodies()).toEqual([
      ['broadcast/message', { data: [{ value: { n: 1 } }, { id: dataId }, { id: dataId }, { value: '-' }] }],
    ]);
  });

  it('reports what the node keeps if only the message is refused', async () => {
    await confirming(({ path }) =>
      path === 'broadcast/message' ? { status: 400, body: { error: 'FF00140: Bad name' } } : undefined,
    );
    const { err, error } = await send({ items: [{ kind: 'file', text: file }], topic: ['a b'] });
    expect(error).toMatchObject({ code: 'FF00140' });
    expect(err).toContain(`--data-id ${dataId}`);
  });

  it.each([
    ['a file that is not there', { items: [{ kind: 'file', text: join(folder, 'absent') }] }],
    ['a directory', { items: [{ kind: 'file', text: folder }] }],
    [
      'a payload that is no JSON',
      {
        items: [
          { kind: 'file', text: file },
          { kind: 'value', text: '{"a":' },
        ],
      },
    ],
    ['a datatype without a version', { items: [value], datatype: 'order' }],
    ['a rate that is none', { items: [value], count: 2, rate: 'fast' }],
    ['a time limit that is none', { items: [value], timeout: 'soon' }],
  ] as const)('sends nothing for %s', async (_, given) => {
    await confirming();
    const { error } = await send(given);
    expect(error).toBeInstanceOf(CliError);
    expect(error).toMatchObject({ code: 'USAGE' });
    expect(node?.came).toEqual([]);
  });

  it('prints its requests for a shell or a reader, and sends nothing', async () => {
    await confirming();
    const items = [value, { kind: 'file', text: file }] as const;
    const { out } = await send({ items, curl: true });
    expect(out.split('\n')[0]).toMatch(/^FILE1=\$\(curl -sS \S+\/data -F autometa=true -F 'file=@.*hello\.txt;/);
    expect(out).toContain(`{"id":"'"$FILE1"'"}`);
    const shown = await send({ items, 'dry-run': true }, { isJson: true });
    expect(
      shown.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).method),
    ).toEqual(['POST', 'POST']);
    expect(node?.came).toEqual([]);
  });

  it('uploads a file once for many messages', async () => {
    await confirming();
    const { out } = await send({ items: [{ kind: 'file', text: file }], count: 3 }, { isQuiet: true });
    expect(out.trim().split('\n')).toHaveLength(3);
    expect(node?.came.filter(({ path }) => path === 'data')).toHaveLength(1);
  });
});

describe('a message whose idempotency key was used before', () => {
  const text = '{"n":1.0}';
  const earlier = (changes: object) => ({
    ...message('broadcast', 'confirmed'),
    data: [{ id: dataId, hash: sha256(text) }],
    ...changes,
  });
  const takenBy = (record: object) => (came: Came) => {
    if (came.method === 'POST') {
      return { status: 409, body: { error: `FF10430: Idempotency key "k" already used by message ${messageId}` } };
    }
    return came.path === `messages/${messageId}` ? { body: record } : undefined;
  };

  it('is the earlier one, and reported as such', async () => {
    await confirming(takenBy(earlier({})));
    const { out, error } = await send({ items: [value], idempotent: 'k' });
    expect(error).toBeUndefined();
    expect(out).toContain('· sent before · confirmed at');
  });

  it.each([
    ['data', { items: [{ kind: 'value', text: '{"n":2}' }] }, {}],
    ['tags', { items: [value], tag: 'other' }, {}],
    ['topics', { items: [value], topic: ['other'] }, {}],
    ['kinds', { items: [value], recipients: bob }, {}],
    ['recipients', { items: [value], recipients: { ...bob, to: ['carol'] } }, message('private', 'confirmed')],
  ] as const)('is a conflict where the %s differ', async (what, given, changes) => {
    await confirming(takenBy(earlier(changes)));
    const { out, error } = await send({ ...given, idempotent: 'k' });
    expect(error).toMatchObject({ code: 'CONFLICT', exitCode: 10, details: { earlier: messageId } });
    expect(String(error)).toContain(`the ${what} differ`);
    expect(out).toBe('');
  });
});

describe('one of many messages', () => {
  it('that fails repeats the typed flags in its hint', async () => {
    const earlier = { ...message('broadcast', 'confirmed'), data: [{ id: dataId, hash: sha256('2') }] };
    const { url } = await confirming(({ method, path }) => {
      if (method !== 'POST') return path === `messages/${messageId}` ? { body: earlier } : undefined;
      return { status: 409, body: { error: `FF10430: Idempotency key "k" already used by message ${messageId}` } };
    });
    const { output, err } = memoryOutput();
    const typed = ['1', '--count', '1', '--keep-going', '--idempotent', 'k{{n}}', '--url', url];
    const Command = Object.assign(Broadcast, { id: 'broadcast' });
    const broadcast = new Command(typed, await loadConfig(root, 'stack'));
    await expect(broadcast.runWithin(output)).rejects.toMatchObject({ exitCode: 10, isPrinted: true });
    expect(err()).toContain(`stack messages get --url ${url} ${messageId}\n`);
  });
});

describe('a private message', () => {
  it('names its members, and prints its recipients', async () => {
    await confirming();
    const { out, error } = await send({ items: [value], recipients: { ...bob, to: ['bob,carol'] } });
    expect(error).toBeUndefined();
    expect(bodies()).toEqual([
      [
        'send/message',
        { group: { members: [{ identity: 'bob' }, { identity: 'carol' }] }, data: [{ value: { n: 1 } }] },
      ],
    ]);
    expect(out).toContain(`private ${messageId} → bob · group ${hash} · topic default · confirmed`);
  });

  it('is sent to a group by its hash, pinned or not, and may have only a tag', async () => {
    await confirming();
    const { error } = await send({ tag: 'ping', recipients: { to: [], group: hash, unpinned: true } });
    expect(error).toBeUndefined();
    expect(bodies()).toEqual([['send/message', { header: { txtype: 'none', tag: 'ping' }, group: hash, data: [] }]]);
  });

  it('exits with the id and code 5 when time is up', async () => {
    await confirming(({ path }) =>
      path === `messages/${messageId}` ? { body: message('private', 'ready') } : undefined,
    );
    const { out, error } = await send({ items: [value], recipients: bob, timeout: '200ms' });
    expect(error).toMatchObject({ code: 'TIMEOUT', details: { id: messageId } });
    expect(out).toBe(`${messageId}\n`);
  });

  it('exits with code 5 also if the credential does not permit to read the reason', async () => {
    const waiting = [{ service: 'chain', since: '2026-01-15T10:00:02.400Z', error: 'no answer' }];
    await confirming(({ path }) => {
      if (path === `messages/${messageId}`) return { body: message('private', 'ready') };
      if (path === 'status') return { body: aStatus(waiting) };
      return path.endsWith('/progress') ? { status: 403, body: { error: 'PY1302: Not permitted' } } : undefined;
    });
    const { out, error } = await send({ items: [value], recipients: bob, timeout: '200ms' });
    expect(node?.came.some(({ path }) => path === `messages/${messageId}/progress`)).toBe(true);
    expect(error).toMatchObject({ code: 'TIMEOUT', exitCode: 5, details: { id: messageId } });
    expect(error instanceof CliError && error.hint).toMatch(/may still be confirmed\. \S+ waits for chain: no answer$/);
    expect(out).toBe(`${messageId}\n`);
  });

  it('exits with code 7 and the reason if it is rejected or cancelled', async () => {
    await confirming(({ path }) =>
      path === `messages/${messageId}`
        ? { body: { ...message('private', 'rejected'), rejectReason: 'FF10198: no' } }
        : undefined,
    );
    const { error } = await send({ items: [value], recipients: bob });
    expect(error).toMatchObject({ code: 'REJECTED', details: { id: messageId } });
    expect(textOf(error instanceof Error ? error.message : '')).toContain('FF10198');
  });
});

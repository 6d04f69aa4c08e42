import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createThreeParties, type Json } from '../../e2e/fixtures/three-parties.js';

/** The fields of records, and how sends and uploads are interpreted, as applications find them on a running stack. */

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/) as string;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/) as string;
const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Message extends Json {
  readonly header: Json & { readonly id: string; readonly topics: readonly string[]; readonly datahash: string };
  readonly hash: string;
  readonly state: string;
  readonly batch?: string;
  readonly confirmed?: string;
  readonly data: readonly { readonly id: string; readonly hash: string }[];
  readonly pins?: readonly string[];
}
interface Item extends Json {
  readonly id: string;
  readonly hash: string;
  readonly value?: unknown;
  readonly blob?: { readonly hash: string };
}

const stack = createThreeParties();
beforeAll(stack.start);
afterAll(stack.remove);

const toBob = { members: [{ identity: 'bob' }] };
const broadcast = (body: object) => stack.post<Message>('broadcast/message', JSON.stringify(body));
const send = (body: object) => stack.post<Message>('send/message', JSON.stringify({ group: toBob, ...body }));
const confirmedAt = async (id: string, party: string) => (await stack.confirmed(id, party)) as Message;
const hello = { data: [{ value: 'hello' }] };
const statusOf = async (path: string, party: string) => (await fetch(stack.addressOf(path, party))).status;

async function refused(path: string, body: object): Promise<string> {
  const { error } = await stack.post<{ readonly error: string }>(path, JSON.stringify(body), { status: 400 });
  return error.slice(0, 7);
}

async function upload(bytes: string, fields: Readonly<Record<string, string>> = {}): Promise<Item> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([bytes]), 'notes.txt');
  const response = await fetch(stack.addressOf('data'), { method: 'POST', body: form });
  expect(response.status).toBe(200);
  return (await response.json()) as Item;
}

describe('A message', () => {
  async function greeting() {
    const sent = await broadcast({ header: { tag: 'greeting', topics: ['one', 'two'] }, ...hello });
    return { sent, here: await confirmedAt(sent.header.id, 'alice') };
  }

  test('has an id and a hash that the service sets, whatever the request contains', async () => {
    const own = '11111111-1111-4111-8111-111111111111';
    const other = await broadcast({ header: { id: own, created: '2001-01-01T00:00:00Z' }, hash: 'x', ...hello });
    expect(other).toMatchObject({ header: { id: uuid, created: time }, hash });
    expect(other.header.id).not.toBe(own);
    expect(other.header['created']).not.toMatch(/^2001/);
  });

  test('has the hash of its header', async () => {
    const { here } = await greeting();
    const { topic, ...header } = here.header;
    expect(topic).toEqual(header.topics);
    expect(here.hash).toBe(sha256(JSON.stringify(header)));
  });

  test('has in its header the hash of its data references with id and hash', async () => {
    const { here } = await greeting();
    expect(here.data).toEqual([{ id: uuid, hash: sha256('"hello"') }]);
    expect(here.header.datahash).toBe(sha256(JSON.stringify(here.data)));
  });

  test('is ready at first, without batch and time, and confirmed with both later', async () => {
    const { sent, here } = await greeting();
    expect(sent).toMatchObject({ state: 'ready', header: { created: time } });
    expect(sent).not.toHaveProperty('confirmed');
    expect(sent).not.toHaveProperty('batch');
    expect(here).toMatchObject({ state: 'confirmed', confirmed: time, batch: uuid });
  });

  test('has the same batch as batchID in an event', async () => {
    const { sent, here } = await greeting();
    const events = await stack.get<readonly Json[]>(`events?reference=${sent.header.id}&fetchreference=true`);
    expect(events).toMatchObject([{ message: { batchID: here.batch } }]);
  });

  test('has a pin for each topic: of a broadcast the hash of the topic', async () => {
    const { here } = await greeting();
    expect(here.pins).toEqual([sha256('one'), sha256('two')]);
    const again = await broadcast({ header: { topics: ['one'] }, ...hello });
    expect((await confirmedAt(again.header.id, 'bob')).pins).toEqual([sha256('one')]);
  });

  test('has masked pins if it is private, which differ by topic, group and sender', async () => {
    const all = { members: [{ identity: 'bob' }, { identity: 'carol' }] };
    const topics = ['one', 'two'];
    const messages = [
      await send({ header: { topics }, ...hello }),
      await send({ header: { topics: ['one'] }, group: all, ...hello }),
      await stack.post<Message>(
        'send/message',
        JSON.stringify({ header: { topics: ['one'] }, group: { members: [{ identity: 'alice' }] }, ...hello }),
        { party: 'bob' },
      ),
    ];
    const pins: string[] = [];
    for (const { header } of messages) pins.push(...((await confirmedAt(header.id, 'bob')).pins ?? []));
    expect(pins).toHaveLength(4);
    expect(new Set([...pins, sha256('one'), sha256('two')]).size).toBe(6);
  });
});

describe('The header of a message', () => {
  test('has its type from the endpoint, its author and namespace from the node, and the topic default', async () => {
    const { header } = await broadcast(hello);
    expect(header).toMatchObject({
      type: 'broadcast',
      txtype: 'batch_pin',
      author: 'did:parley:org/alice',
      namespace: 'default',
      topics: ['default'],
    });
    expect(header).not.toHaveProperty('tag');
    expect(header).not.toHaveProperty('group');
  });

  test('has a group, the hash of the resolved members, only if it is private', async () => {
    const first = await send(hello);
    expect(first.header).toMatchObject({ type: 'private', txtype: 'batch_pin', group: hash });
    const others = [
      { members: [{ identity: 'did:parley:org/bob' }] },
      { members: [{ identity: 'bob' }, { identity: 'alice' }] },
      { hash: first.header['group'] },
    ];
    for (const group of others) expect((await send({ group, ...hello })).header['group']).toBe(first.header['group']);
  });

  test('accepts an author of this node, and refuses another', async () => {
    for (const author of ['did:parley:org/alice', 'alice']) {
      expect((await broadcast({ header: { author }, ...hello })).header['author']).toBe('did:parley:org/alice');
    }
    expect(await refused('broadcast/message', { header: { author: 'bob' }, ...hello })).toMatch(/^(FF|PY)\d+$/);
  });

  test('accepts topics under the name topic, too', async () => {
    const { header } = await broadcast({ header: { topic: ['a', 'b'] }, ...hello });
    expect(header).toMatchObject({ topics: ['a', 'b'], topic: ['a', 'b'] });
  });

  test('has the same array as topics and topic in lists, events and answers to definitions', async () => {
    const { header } = await broadcast({ header: { topics: ['listed'] }, ...hello });
    await confirmedAt(header.id, 'alice');
    const [listed] = await stack.get<readonly Message[]>(`messages?topics=listed`);
    expect(listed?.header).toMatchObject({ topics: ['listed'], topic: ['listed'] });
    const [event] = await stack.get<readonly Json[]>(`events?reference=${header.id}&fetchreference=true`);
    expect(event).toMatchObject({ message: { header: { topics: ['listed'], topic: ['listed'] } } });
  });

  test('accepts the transaction type none only for private sends', async () => {
    expect((await send({ header: { txtype: 'none' }, ...hello })).header).toMatchObject({ txtype: 'none' });
    expect(await refused('broadcast/message', { header: { txtype: 'none' }, ...hello })).toBe('FF00130');
  });
});

describe('A data item', () => {
  const postData = (body: string) => stack.post<Item>('data', body, { status: 200 });

  test.each(['"text"', '12.50', 'true', 'null', '[1,"a"]', '{"b":1,"a":{"c":[]}}'])(
    'has the value %s as it was given, and the hash of its text',
    async (value) => {
      const item = await postData(`{ "value": ${value} }`);
      expect(item).toEqual({
        id: uuid,
        validator: 'json',
        namespace: 'default',
        hash: sha256(value),
        created: time,
        value: JSON.parse(value) as unknown,
      });
      const { header } = await broadcast({ data: [{ id: item.id }] });
      await confirmedAt(header.id, 'bob');
      const response = await fetch(stack.addressOf(`messages/${header.id}/data`, 'bob'));
      expect(await response.text()).toContain(`"value":${value}`);
    },
  );

  test('has the hash of the bytes of its blob, and its own hash combines both', async () => {
    const plain = await upload('some bytes');
    expect(plain).toMatchObject({ blob: { hash: sha256('some bytes') }, hash: sha256('some bytes') });
    const described = await upload('some bytes', { autometa: 'true' });
    expect(described).toMatchObject({ validator: 'json', value: { filename: 'notes.txt', size: 10 } });
    const text = await (await fetch(stack.addressOf(`data/${described.id}/value`))).text();
    expect(described.hash).toBe(sha256(sha256(text) + sha256('some bytes')));
  });

  test('has no description without autometa', async () => {
    expect((await upload('other bytes')).value ?? null).toBeNull();
    expect((await upload('other bytes', { autometa: 'false' })).value ?? null).toBeNull();
  });

  test('stays at its node until it is sent: neither other parties nor the store have it', async () => {
    const item = await upload('kept at home');
    for (const party of ['bob', 'carol']) expect(await statusOf(`data/${item.id}`, party)).toBe(404);
    expect(item.blob).not.toHaveProperty('public');
    const { header } = await broadcast({ data: [{ id: item.id }] });
    for (const party of ['bob', 'carol']) {
      await confirmedAt(header.id, party);
      const bytes = await fetch(stack.addressOf(`data/${item.id}/blob`, party));
      expect(await bytes.text()).toBe('kept at home');
    }
    expect(await stack.get(`data/${item.id}`)).toMatchObject({ blob: { public: expect.any(String) as string } });
  });

  test('goes only to members of the group when it is sent in private', async () => {
    const item = await upload('for two');
    const { header } = await send({ data: [{ id: item.id }] });
    await confirmedAt(header.id, 'bob');
    expect(await (await fetch(stack.addressOf(`data/${item.id}/blob`, 'bob'))).text()).toBe('for two');
    await broadcast(hello).then(({ header: { id } }) => confirmedAt(id, 'carol'));
    expect(await statusOf(`data/${item.id}`, 'carol')).toBe(404);
    expect(await statusOf(`messages/${header.id}`, 'carol')).toBe(404);
    expect((await stack.get<Item>(`data/${item.id}`)).blob).not.toHaveProperty('public');
  });

  test('is given in exactly one form, and one is required', async () => {
    const { id } = await postData('{"value":1}');
    expect(await refused('broadcast/message', { data: [{ id, value: 1 }] })).toBe('PY1102:');
    expect(await refused('broadcast/message', { data: [{}] })).toBe('FF10205');
    expect(await refused('broadcast/message', { data: [] })).toBe('PY1101:');
    expect(await refused('broadcast/message', {})).toBe('PY1101:');
  });
});

describe('A group', () => {
  test('always includes its author, and has a record with its members', async () => {
    const { header } = await send(hello);
    const id = String(header['group']);
    expect(await stack.get(`groups/${id}`)).toMatchObject({
      hash: id,
      members: [{ identity: 'did:parley:org/alice' }, { identity: 'did:parley:org/bob' }],
    });
  });

  test('is required for a private send, with known members', async () => {
    expect(await refused('send/message', hello)).toBe('FF00115');
    const nobody = { members: [{ identity: 'nobody' }] };
    expect(await refused('send/message', { group: nobody, ...hello })).toMatch(/^(FF|PY)\d+/);
    expect(await refused('send/message', { group: { members: [] }, ...hello })).toMatch(/^(FF|PY)\d+/);
  });
});

test('A pool needs no connector, and an operation no pool, if there is only one', async () => {
  const confirm = { status: 200 };
  const pool = await stack.post('tokens/pools?confirm=true', '{"name":"only","type":"fungible"}', confirm);
  const mint = await stack.post('tokens/mint?confirm=true', '{"amount":5}', confirm);
  const body = '{"amount":2,"to":"0x1111111111111111111111111111111111111111"}';
  const moved = await stack.post('tokens/transfers?confirm=true', body, confirm);
  const burned = await stack.post('tokens/burn?confirm=true', '{"amount":1}', confirm);
  for (const operation of [mint, moved, burned]) expect(operation).toMatchObject({ pool: pool['id'] });
});

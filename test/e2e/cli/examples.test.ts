import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createThreeParties, type Json } from '../fixtures/three-parties.js';

/**
 * The examples of the interface specification, one test each, over HTTP against a running stack of three parties.
 * Values that a node chooses (ids, times) are matched by form, everything else exactly.
 */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const hash = /^[0-9a-f]{64}$/;
const ordersPin = '1c168adb00d208e42f93314529f1fa9c0427eb63233ceda95a5db52b7012a719';
const schema =
  '{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Order","type":"object","required":["order"],' +
  '"properties":{"order":{"type":"integer"},"sku":{"type":"string"}}}';

interface Sent {
  readonly header: { readonly id: string; readonly group: string };
  readonly hash: string;
  readonly data: readonly { readonly id: string; readonly hash: string }[];
  readonly state: string;
}

interface Asked {
  readonly header: { readonly id: string; readonly group: string; readonly tag?: string };
}

const stack = createThreeParties();
const { get, post, confirmed, addressOf, listen } = stack;
beforeAll(stack.start);
afterAll(stack.remove);

const ids = { id: expect.stringMatching(uuid), created: expect.stringMatching(time) };

describe('The examples of the interface', () => {
  test('define a datatype: the answer is the definition message', async () => {
    const message = await post<Sent>('broadcast/datatype', `{"name":"order","version":"1.0","value":${schema}}`);
    expect(message).toMatchObject({
      header: {
        ...ids,
        type: 'definition',
        txtype: 'batch_pin',
        author: 'did:parley:org/alice',
        namespace: 'svc_system',
        topics: ['svc_ns_default'],
        topic: ['svc_ns_default'],
        tag: 'svc_define_datatype',
        datahash: expect.stringMatching(hash),
      },
      hash: expect.stringMatching(hash),
      state: 'ready',
      data: [{ id: expect.stringMatching(uuid), hash: expect.stringMatching(hash) }],
      pins: ['0403bda9d6cdd41c79a2023977fe87c97f77666531be9532623787700e1f04c5'],
    });
    for (const party of stack.parties) await confirmed(message.header.id, party);
  });

  test('list datatypes by name and version, with the same record at every party', async () => {
    const path = 'datatypes?name=order&version=1.0';
    const [alice = {}] = await get<Json[]>(path);
    expect(alice).toEqual({
      ...ids,
      message: expect.stringMatching(uuid),
      validator: 'json',
      namespace: 'default',
      name: 'order',
      version: '1.0',
      hash: '07ffa5445ed0c5d8e345c51429002cec27cfc31d0b371301b741f700bc506d4f',
      value: JSON.parse(schema),
    });
    const [carol = {}] = await get<Json[]>(path, 'carol');
    expect({ ...carol, created: alice['created'] }).toEqual(alice);
  });

  test('refuse a second definition by the order on the chain, at every party', async () => {
    const body = '{"name":"order","version":"1.0","value":{"type":"string"}}';
    const message = await post<Sent>('broadcast/datatype', body, { party: 'bob' });
    for (const party of stack.parties) {
      await expect
        .poll(
          async () => (await fetch(addressOf(`messages/${message.header.id}`, party)).then((r) => r.json())) as Json,
        )
        .toMatchObject({ state: 'rejected', rejectReason: expect.stringContaining('FF10407') });
    }
    expect(await get<Json[]>('datatypes?name=order')).toHaveLength(1);
  });

  test('broadcast a message: 202, ready, with topic, pins and hashes; confirmed at all parties', async () => {
    const value = '{"order": 17, "sku": "A-1", "price": 1.50}';
    const body = `{"header": {"tag": "new_order", "topics": ["orders"]}, "data": [{"value": ${value}}]}`;
    const message = await post<Sent>('broadcast/message', body);
    expect(message).toMatchObject({
      header: {
        ...ids,
        type: 'broadcast',
        txtype: 'batch_pin',
        author: 'did:parley:org/alice',
        namespace: 'default',
        topics: ['orders'],
        topic: ['orders'],
        tag: 'new_order',
      },
      localNamespace: 'default',
      state: 'ready',
      data: [{ hash: 'bb607708bce7a131655b8636e9e7eafbdbec1597c6ec25aa5df63046adb7ae81' }],
      pins: [ordersPin],
    });
    for (const party of stack.parties) {
      const record = await confirmed(message.header.id, party);
      expect(record).toMatchObject({ hash: message.hash, confirmed: expect.stringMatching(time) });
      const response = await fetch(addressOf(`messages/${message.header.id}/data`, party));
      expect(await response.text()).toContain('"value":{"order":17,"sku":"A-1","price":1.50}');
    }
  });

  test('send privately: members confirm, and the third party has nothing of it', async () => {
    const body =
      '{"header":{"tag":"margin","topics":["orders"]},"group":{"members":[{"identity":"bob"}]},' +
      '"data":[{"value":"the margin is 12 %"}]}';
    const message = await post<Sent>('send/message', body);
    expect(message).toMatchObject({
      header: {
        type: 'private',
        txtype: 'batch_pin',
        group: expect.stringMatching(hash),
        topics: ['orders'],
        tag: 'margin',
      },
      state: 'ready',
      data: [{ hash: 'fd56f92fa3357ac050dc0892e2cd101df3a31e8b8dcf86933d855de368b3426b' }],
    });
    for (const party of ['alice', 'bob']) {
      const record = await confirmed(message.header.id, party);
      expect(record['pins']).toEqual([expect.stringMatching(hash)]);
      expect(record['pins']).not.toEqual([ordersPin]);
    }
    expect((await fetch(addressOf(`messages/${message.header.id}`, 'carol'))).status).toBe(404);
    expect((await fetch(addressOf(`data/${message.data[0]?.id ?? ''}`, 'carol'))).status).toBe(404);
    expect((await fetch(addressOf(`groups/${message.header.group}`, 'carol'))).status).toBe(404);
  });

  test('send privately by the hash of a group, in every accepted form', async () => {
    const [{ header: sent }] = await get<[Sent]>('messages?tag=margin');
    const { group } = sent;
    for (const form of [`"group":{"hash":"${group}"}`, `"group":"${group}"`, `"header":{"group":"${group}"}`]) {
      const message = await post<Sent>('send/message', `{${form},"data":[{"value":1}]}`, { party: 'bob' });
      expect(message.header.group).toBe(group);
      await confirmed(message.header.id, 'alice');
    }
  });

  test('send without the chain: confirmed in the answer, and at the other party when it arrives', async () => {
    const before = await get<Json[]>('pins?limit=1000');
    const body = '{"header":{"txtype":"none"},"group":{"members":[{"identity":"carol"}]},"data":[{"value":"now"}]}';
    const message = await post<Sent>('send/message', body);
    expect(message).toMatchObject({
      header: { txtype: 'none', type: 'private' },
      state: 'confirmed',
      confirmed: expect.stringMatching(time),
    });
    expect(message).not.toHaveProperty('pins');
    await confirmed(message.header.id, 'carol');
    expect(await get<Json[]>('pins?limit=1000')).toHaveLength(before.length);
  });

  test('list messages: only confirmed ones with pending=false, filtered by topic', async () => {
    const [message = {}] = await get<Json[]>('messages?pending=false&topics=orders&type=broadcast&limit=1');
    expect(message).toMatchObject({ header: { topics: ['orders'], tag: 'new_order' }, state: 'confirmed' });
    expect(await get<Json[]>('messages?pending=true&topics=orders')).toEqual([]);
    const counted = await get('messages?count&limit=0');
    expect(counted).toMatchObject({ count: 0, total: expect.any(Number), items: [] });
  });

  test('get a message with its data', async () => {
    const [{ header }] = await get<[Sent]>('messages?tag=new_order&limit=1');
    const message = await get<{ readonly data: Json[] }>(`messages/${header.id}?data=true`);
    expect(message.data).toEqual([
      {
        ...ids,
        validator: 'json',
        namespace: 'default',
        hash: 'bb607708bce7a131655b8636e9e7eafbdbec1597c6ec25aa5df63046adb7ae81',
        value: { order: 17, sku: 'A-1', price: 1.5 },
      },
    ]);
    expect(await get(`messages/${header.id}/data`)).toEqual(message.data);
  });

  test('upload a file with autometa, and get it back', async () => {
    const form = new FormData();
    form.append('autometa', 'true');
    form.append('file', new Blob(['hello parley\n'], { type: 'text/plain' }), 'hello.txt');
    const response = await fetch(addressOf('data'), { method: 'POST', body: form });
    expect(response.status).toBe(200);
    const item = (await response.json()) as Json;
    expect(item).toEqual({
      ...ids,
      validator: 'json',
      namespace: 'default',
      hash: '8be322a96c2c16d10972d884a83c3d8e56fd2dadf7df444546841a22ec1d5ced',
      value: { filename: 'hello.txt', mimetype: 'text/plain', size: 13 },
      blob: {
        hash: '8d65373e30398263d1ce78e858420147872d452693cc7a0d48cbbedf04c659c1',
        size: 13,
        name: 'hello.txt',
        path: '/',
      },
    });
    const blob = await fetch(addressOf(`data/${String(item['id'])}/blob`));
    expect(blob.headers.get('content-type')).toBe('application/octet-stream');
    expect(await blob.text()).toBe('hello parley\n');
    const message = await post<Sent>('broadcast/message', `{"data":[{"id":"${String(item['id'])}"}]}`);
    await confirmed(message.header.id, 'carol');
    const there = await fetch(addressOf(`data/${String(item['id'])}/blob`, 'carol'));
    expect(sha256(await there.text())).toBe('8d65373e30398263d1ce78e858420147872d452693cc7a0d48cbbedf04c659c1');
  });

  test('upload a JSON value', async () => {
    const item = await post('data', '{"value":"a string"}', { status: 200 });
    expect(item).toMatchObject({
      validator: 'json',
      hash: 'c95d6352f524a770a787c16509237baf7eb59967699fb9a6d825270e7ec0eacf',
      value: 'a string',
    });
    expect(item).not.toHaveProperty('blob');
  });

  test('reject data at the sender that does not conform to its datatype', async () => {
    const item = (value: string) => `{"data":[{"value":${value},"datatype":{"name":"order","version":"1.0"}}]}`;
    const refused = await post<{ readonly error: string }>('broadcast/message', item('{"sku":1}'), { status: 400 });
    expect(refused.error).toMatch(/^FF10198: /);
    const message = await post<Sent>('broadcast/message', item('{"order":1}'));
    for (const party of stack.parties) await confirmed(message.header.id, party);
    const unknown = '{"data":[{"value":1,"datatype":{"name":"order","version":"9"}}]}';
    expect((await post<{ readonly error: string }>('broadcast/message', unknown, { status: 400 })).error).toMatch(
      /^FF10195: /,
    );
  });

  test('deliver each message in one event, with the message and no payload', async () => {
    const frames: Json[] = [];
    const path = '/ws?namespace=default&ephemeral&autoack&filter.events=message_confirmed';
    await listen(path, 'alice', (frame) => void frames.push(frame));
    const message = await post<Sent>('broadcast/message', '{"header":{"topics":["a","b"]},"data":[{"value":"two"}]}');
    await expect.poll(() => frames.length).toBe(1);
    const batch = expect.stringMatching(uuid);
    expect(frames[0]).toMatchObject({
      ...ids,
      sequence: expect.any(Number),
      type: 'message_confirmed',
      namespace: 'default',
      reference: message.header.id,
      tx: expect.stringMatching(uuid),
      topic: 'a',
      message: { header: { topics: ['a', 'b'] }, batch, batchID: batch, state: 'confirmed', data: message.data },
    });
  });

  test('send a request and get the answer in one call', async () => {
    await listen('/ws?namespace=default&ephemeral&autoack', 'bob', (frame) => {
      const { message } = frame as { readonly message?: Asked };
      if (message?.header.tag !== 'question') return;
      const { id, group } = message.header;
      const answer = `{"header":{"cid":"${id}"},"group":{"hash":"${group}"},"data":[{"value":42}]}`;
      void post('send/message', answer, { party: 'bob' });
    });
    const body = '{"header":{"tag":"question"},"group":{"members":[{"identity":"bob"}]},"data":[{"value":"6 × 7"}]}';
    const reply = await post<{ readonly data: Json[] }>('messages/requestreply', body, { status: 200 });
    expect(reply.data[0]).toMatchObject({ value: 42 });
  });

  test('wait for the confirmation of a broadcast with confirm=true', async () => {
    const message = await post<Sent>('broadcast/message?confirm=true', '{"data":[{"value":"at once"}]}', {
      status: 200,
    });
    expect(message.state).toBe('confirmed');
  });
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

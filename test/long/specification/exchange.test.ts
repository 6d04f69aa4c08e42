import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createThreeParties, type Json } from '../../e2e/fixtures/three-parties.js';

/** How messages become final at all parties of a running stack, and what the chain and the store contain. */

interface Message extends Json {
  readonly header: Json & { readonly id: string; readonly topics: readonly string[] };
  readonly state: string;
  readonly batch?: string;
  readonly confirmed?: string;
  readonly pins?: readonly string[];
  readonly data: readonly { readonly id: string; readonly hash: string }[];
}
interface Event extends Json {
  readonly type: string;
  readonly reference: string;
  readonly sequence: number;
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/) as string;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/) as string;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const stack = createThreeParties();
beforeAll(stack.start);
afterAll(stack.remove);

const toBob = { members: [{ identity: 'bob' }] };
const hello = { data: [{ value: 'hello' }] };
const post = (path: string, body: object, party = 'alice') =>
  stack.post<Message>(path, JSON.stringify(body), { party });
const broadcast = (body: object, party?: string) => post('broadcast/message', body, party);
const send = (body: object, party?: string) => post('send/message', { group: toBob, ...body }, party);
const confirmedAt = async (id: string, party: string) => (await stack.confirmed(id, party)) as Message;
const everywhere = (id: string) => Promise.all(stack.parties.map((party) => confirmedAt(id, party)));
const statusOf = async (path: string, party: string) => (await fetch(stack.addressOf(path, party))).status;
const confirmedInOrder = 'events?type=message_confirmed&sort=sequence&limit=500';
const eventsOf = (id: string, party: string) => stack.get<readonly Event[]>(`events?reference=${id}`, party);
const refusal = async (path: string, body: object, status: number) =>
  (await stack.post<{ readonly error: string }>(path, JSON.stringify(body), { status })).error.slice(0, 7);
async function serviceUrl(name: string): Promise<string> {
  return `http://127.0.0.1:${(await stack.shell(`stack port ${name}`)).trim()}`;
}

async function rpc<T>(method: string, ...params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(await serviceUrl('chain'), { method: 'POST', headers, body });
  return ((await response.json()) as { readonly result: T }).result;
}

describe('A broadcast', () => {
  test('is visible to all parties, each of which has its own record of it', async () => {
    const { header } = await broadcast({ header: { tag: 'seen' }, data: [{ value: 1 }, { value: 'two' }] });
    for (const message of await everywhere(header.id)) expect(message.header).toEqual(header);
    for (const party of stack.parties) {
      const items = await stack.get<readonly Json[]>(`messages/${header.id}/data`, party);
      expect(items.map(({ value }) => value)).toEqual([1, 'two']);
      expect(await stack.get(`messages/${header.id}?data=true`, party)).toMatchObject({
        data: [{ value: 1 }, { value: 'two' }],
      });
    }
  });

  test('is stored at once, and an event and a time report its confirmation', async () => {
    const sent = await broadcast(hello);
    expect(sent.state).toBe('ready');
    expect(await statusOf(`messages/${sent.header.id}`, 'alice')).toBe(200);
    for (const [index, { confirmed }] of (await everywhere(sent.header.id)).entries()) {
      expect(confirmed).toEqual(time);
      const events = await eventsOf(sent.header.id, stack.parties[index] ?? '');
      expect(events.map(({ type }) => type)).toEqual(['message_confirmed']);
    }
  });

  test('puts a hash on the chain and nothing of its contents', async () => {
    const secret = { header: { tag: 'tag-of-it', topics: ['topic-of-it'] }, data: [{ value: 'value-of-it' }] };
    const { header } = await broadcast(secret);
    const { batch } = await confirmedAt(header.id, 'alice');
    const { hash } = await stack.get<{ readonly hash: string }>(`batches/${batch ?? ''}`);
    const block = await rpc<{ readonly transactions: readonly { readonly input: string }[] }>(
      'eth_getBlockByNumber',
      'latest',
      true,
    );
    const logs = JSON.stringify(await rpc('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' }));
    const chain = logs + JSON.stringify(block);
    expect(logs).toContain(hash);
    expect(logs).toContain(sha256('topic-of-it'));
    for (const text of ['tag-of-it', 'topic-of-it', 'value-of-it']) {
      expect(chain).not.toContain(text);
      expect(chain).not.toContain(Buffer.from(text).toString('hex'));
    }
  });

  test('is in a batch in the store, under the name that the batch has at every party', async () => {
    const { header } = await broadcast({ data: [{ value: 'in the store' }] });
    const [message] = await everywhere(header.id);
    const url = await serviceUrl('store');
    for (const party of stack.parties) {
      const { payloadRef } = await stack.get<{ readonly payloadRef: string }>(`batches/${message?.batch ?? ''}`, party);
      expect(await (await fetch(`${url}/ipfs/${payloadRef}`)).text()).toContain('in the store');
    }
  });

  test('shares its batch and its pin on the chain with many others that were sent meanwhile', async () => {
    await stack.stop('chain');
    const sent: Message[] = [];
    for (let count = 0; count < 150; count++) sent.push(await broadcast(hello));
    await stack.startAgain('chain');
    await everywhere(sent.at(-1)?.header.id ?? '');
    const batches = await Promise.all(sent.map(({ header }) => confirmedAt(header.id, 'bob')));
    const sizes = new Map<string | undefined, number>();
    for (const { batch } of batches) sizes.set(batch, (sizes.get(batch) ?? 0) + 1);
    expect(Math.max(...sizes.values())).toBeGreaterThan(100);
  });

  test('needs data, and can be seen confirmed without waiting', async () => {
    expect(await refusal('broadcast/message', { data: [] }, 400)).toBe('PY1101:');
    const confirmed = await stack.post('broadcast/message?confirm=true', JSON.stringify(hello), { status: 200 });
    expect(confirmed).toMatchObject({ state: 'confirmed' });
  });
});

describe('A private message', () => {
  test('and its data are visible only to the members of its group', async () => {
    const { header, data } = await send({ data: [{ value: 'between us' }] });
    await confirmedAt(header.id, 'bob');
    expect(await stack.get(`messages/${header.id}/data`, 'bob')).toMatchObject([{ value: 'between us' }]);
    await everywhere((await broadcast(hello)).header.id);
    expect(await statusOf(`messages/${header.id}`, 'carol')).toBe(404);
    expect(await statusOf(`data/${data[0]?.id ?? ''}`, 'carol')).toBe(404);
    expect(await eventsOf(header.id, 'carol')).toEqual([]);
  });

  test('is pinned like a broadcast, and its batch is not in the store', async () => {
    const sent = await send(hello);
    expect(sent).toMatchObject({ state: 'ready', header: { txtype: 'batch_pin' } });
    const { batch, pins } = await confirmedAt(sent.header.id, 'bob');
    expect(pins).toHaveLength(1);
    for (const party of ['alice', 'bob']) {
      const record = await stack.get(`batches/${batch ?? ''}`, party);
      expect(record).toMatchObject({ type: 'private', tx: { type: 'batch_pin', id: uuid } });
      expect(record['payloadRef'] ?? '').toBe('');
    }
  });

  test('with the transaction type none is confirmed at once, without batch or chain', async () => {
    const before = await rpc('eth_blockNumber');
    const sent = await send({ header: { txtype: 'none' }, ...hello });
    expect(sent).toMatchObject({ state: 'confirmed', confirmed: time, header: { txtype: 'none' } });
    for (const message of [sent, await confirmedAt(sent.header.id, 'bob')]) {
      expect(message).not.toHaveProperty('batch');
      expect(message).not.toHaveProperty('pins');
    }
    for (const party of ['alice', 'bob']) {
      expect((await eventsOf(sent.header.id, party)).map(({ type }) => type)).toEqual(['message_confirmed']);
    }
    expect(await rpc('eth_blockNumber')).toBe(before);
  });

  test('with the transaction type none is confirmed at a member when it arrives', async () => {
    await stack.stop('bob');
    const { header, state } = await send({ header: { txtype: 'none' }, ...hello });
    expect(state).toBe('confirmed');
    await stack.startAgain('bob');
    await confirmedAt(header.id, 'bob');
  });

  test('whose data has not arrived delays later ones of its topic and group, and no others', async () => {
    const all = { group: { members: [{ identity: 'alice' }, { identity: 'bob' }, { identity: 'carol' }] }, ...hello };
    const first = await send({ header: { topics: ['held', 'also'] }, ...all });
    await Promise.all([confirmedAt(first.header.id, 'bob'), confirmedAt(first.header.id, 'carol')]);
    await stack.shell('stack fault cut alice bob');
    const missing = await send({ header: { topics: ['held', 'also'] }, ...all });
    await confirmedAt(missing.header.id, 'carol');
    const later = await send({ header: { topics: ['held'] }, ...all }, 'carol');
    const also = await send({ header: { topics: ['also'] }, ...all }, 'carol');
    const free = await send({ header: { topics: ['free'] }, ...all }, 'carol');
    const elsewhere = await send({ header: { topics: ['held'] }, ...hello }, 'carol');
    const open = await broadcast({ header: { topics: ['held'] }, ...hello }, 'carol');
    for (const { header } of [free, elsewhere, open]) await confirmedAt(header.id, 'bob');
    for (const { header } of [later, also]) {
      await confirmedAt(header.id, 'alice');
      expect(await stack.get(`messages/${header.id}`, 'bob')).toMatchObject({ state: 'ready' });
    }
    await stack.shell('stack fault clear');
    for (const { header } of [missing, later, also]) await confirmedAt(header.id, 'bob');
    const order = await stack.get<readonly Event[]>(confirmedInOrder, 'bob');
    const place = ({ header }: Message) => order.findIndex(({ reference }) => reference === header.id);
    expect(place(missing)).toBeLessThan(Math.min(place(later), place(also)));
  });
});

test('Messages of one topic are confirmed in one order at all parties, also with several topics', async () => {
  const senders = Array.from({ length: 30 }, (_, index) => stack.parties[index % 3] ?? '');
  const topics = (index: number) => [['odd', 'even'][index % 2] ?? '', ...(index % 5 === 0 ? ['fifth'] : [])];
  const sent = await Promise.all(
    senders.map((party, index) => broadcast({ header: { tag: 'ordered', topics: topics(index) }, ...hello }, party)),
  );
  for (const { header } of sent) await everywhere(header.id);
  for (const topic of ['odd', 'even', 'fifth']) {
    const orders = await Promise.all(
      stack.parties.map(async (party) => {
        const events = await stack.get<readonly Event[]>(confirmedInOrder, party);
        const ofTopic = new Set(
          sent.filter(({ header }) => header.topics.includes(topic)).map(({ header }) => header.id),
        );
        return events.flatMap(({ reference }) => (ofTopic.has(reference) ? [reference] : []));
      }),
    );
    expect(orders[0]?.length).toBeGreaterThan(5);
    expect(orders[1]).toEqual(orders[0]);
    expect(orders[2]).toEqual(orders[0]);
  }
});

describe('GET messages', () => {
  test('lists pending ones first by creation, then the others by confirmation, the latest first', async () => {
    await everywhere((await broadcast(hello)).header.id);
    await stack.stop('chain');
    const pending = [await broadcast(hello), await broadcast(hello)];
    const sentAtOnce = await send({ header: { txtype: 'none' }, ...hello });
    const list = await stack.get<readonly Message[]>('messages');
    expect(list.slice(0, 3).map(({ header }) => header.id)).toEqual(
      [pending[1], pending[0], sentAtOnce].map((message) => message?.header.id),
    );
    const times = list.slice(2).map(({ confirmed }) => confirmed ?? '');
    expect(times.every((each) => each !== '')).toBe(true);
    expect(times).toEqual([...times].sort().reverse());
    const decided = await stack.get<readonly Message[]>('messages?pending=false&limit=5');
    expect(decided.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'confirmed'));
    const undecided = await stack.get<readonly Message[]>('messages?pending=true');
    expect(undecided.map(({ header }) => header.id).sort()).toEqual(pending.map(({ header }) => header.id).sort());
    await stack.startAgain('chain');
    for (const { header } of pending) await everywhere(header.id);
  });

  test('lists as many as limit says, and those that match a filter', async () => {
    expect(await stack.get<readonly Message[]>('messages?limit=2')).toHaveLength(2);
    const { header } = await broadcast({ header: { tag: 'to-find' }, ...hello });
    const found = await stack.get<readonly Message[]>('messages?tag=to-find');
    expect(found.map((message) => message.header.id)).toEqual([header.id]);
  });

  test('lists only messages of its own namespace', async () => {
    const { header } = await broadcast(hello);
    for (const path of [`messages/${header.id}`, 'messages']) {
      const response = await fetch(stack.addressOf(`/api/v1/namespaces/nowhere/${path}`));
      expect(response.status).toBe(404);
    }
  });
});

test('The explorer is at /ui', async () => {
  const response = await fetch(stack.addressOf('/ui'));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/html');
});

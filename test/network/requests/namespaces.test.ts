import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../../support/eventually.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A part of a transaction's status. */
interface Detail {
  readonly type: string;
  readonly id: string;
}

let network: TestNetwork;
/** Ids of the records in the namespace red, by the path under which they are found there. */
let paths: Readonly<Record<string, string>>;

beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob'], { namespaces: ['red', 'blue'] });
  paths = await fill('red');
});
afterAll(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

async function ask(method: string, path: string, { body, party = 0 }: { body?: unknown; party?: number } = {}) {
  const response = await fetch(`${network.nodes[party]?.url ?? ''}/api/v1/namespaces/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as unknown };
}

function fieldOf(body: unknown, name: string): string {
  const value =
    typeof body === 'object' && body !== null ? Object.entries(body).find(([key]) => key === name)?.[1] : '';
  if (typeof value !== 'string') throw new Error(`The answer has no text ${name}: ${JSON.stringify(body)}`);
  return value;
}

/** Creates one confirmed record of every kind that a namespace can have. */
async function fill(namespace: string): Promise<Readonly<Record<string, string>>> {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const { status, body: answer } = await ask('POST', `${namespace}/${path}`, { body });
    expect([path, Math.floor(status / 100)]).toEqual([path, 2]);
    return answer;
  };
  const data = fieldOf(await post('data', { value: 1 }), 'id');
  const message = await post('messages/broadcast?confirm', { data: [{ id: data }] });
  const { header } = message as { header: { id: string } };
  const [batch, txid] = [fieldOf(message, 'batch'), fieldOf(message, 'txid')];
  const group = { members: [{ identity: 'alice' }, { identity: 'bob' }] };
  const sent = await post('messages/private?confirm', { group, data: [{ value: 2 }] });
  const datatype = fieldOf(await post('datatypes?confirm', { name: 'n', version: '1', value: {} }), 'id');
  const subscription = fieldOf(await post('subscriptions', { name: 'app' }), 'id');
  const events = (await ask('GET', `${namespace}/events?reference=${header.id}`)).body as { id: string }[];
  const operations = (await ask('GET', `${namespace}/operations?tx=${txid}`)).body as { id: string }[];
  const { group: hash } = (sent as { header: { group: string } }).header;
  return {
    data: `data/${data}`,
    message: `messages/${header.id}`,
    batch: `batches/${batch}`,
    group: `groups/${hash}`,
    transaction: `transactions/${txid}`,
    operation: `operations/${operations[0]?.id ?? ''}`,
    event: `events/${events[0]?.id ?? ''}`,
    datatype: `datatypes/${datatype}`,
    subscription: `subscriptions/${subscription}`,
  };
}

const statusOf = async (method: string, path: string): Promise<number> => (await ask(method, path)).status;

describe('a record of one namespace', () => {
  test('is found there, and nowhere else by its id or name', async () => {
    for (const path of [...Object.values(paths), 'subscriptions/app', 'datatypes/n/1']) {
      expect([path, await statusOf('GET', `red/${path}`)]).toEqual([path, 200]);
      expect([path, await statusOf('GET', `blue/${path}`)]).toEqual([path, 404]);
      expect([path, await statusOf('GET', `svc_system/${path}`)]).toEqual([path, 404]);
    }
  });

  test('has no subresources in another namespace', async () => {
    const { message = '', data = '', subscription = '', transaction = '' } = paths;
    const below = [
      ...['data', 'events', 'operations', 'transaction', 'progress'].map((each) => `${message}/${each}`),
      ...['value', 'messages'].map((each) => `${data}/${each}`),
      `${subscription}/events`,
      `${transaction}/status`,
    ];
    for (const path of below) {
      expect([path, await statusOf('GET', `red/${path}`)]).toEqual([path, 200]);
      expect([path, await statusOf('GET', `blue/${path}`)]).toEqual([path, 404]);
    }
  });

  test('names operations that are found with it, at a receiver too, whose download began in no namespace', async () => {
    const { transaction = '' } = paths;
    for (const party of [0, 1]) {
      await eventually(async () => {
        const { body } = await ask('GET', `red/${transaction}/status`, { party });
        expect(body).toMatchObject({ status: 'Succeeded' });
      });
      const { details } = (await ask('GET', `red/${transaction}/status`, { party })).body as { details: Detail[] };
      const named = details.filter(({ type }) => type === 'Operation').map(({ id }) => id);
      const found = (await ask('GET', `red/${transaction}/operations`, { party })).body as { id: string }[];
      expect(named.length).toBeGreaterThan(0);
      expect(new Set(found.map(({ id }) => id))).toEqual(new Set(named));
      for (const id of named) {
        expect((await ask('GET', `red/operations/${id}`, { party })).status).toBe(200);
      }
    }
  });

  test('is in no list of another namespace', async () => {
    const lists = ['messages', 'data', 'batches', 'groups', 'transactions', 'datatypes', 'subscriptions', 'operations'];
    for (const list of lists) {
      expect([list, (await ask('GET', `blue/${list}`)).body]).toEqual([list, []]);
      expect([list, (await ask('GET', `red/${list}`)).body]).not.toEqual([list, []]);
    }
    const events = (await ask('GET', 'blue/events?type=^message')).body;
    expect(events).toEqual([]);
  });

  test('cannot be changed or removed from another namespace', async () => {
    const { data = '', batch = '', operation = '', subscription = '' } = paths;
    for (const [method, path] of [
      ['DELETE', data],
      ['DELETE', subscription],
      ['DELETE', 'subscriptions/app'],
      ['POST', `${batch}/cancel`],
      ['POST', `${operation}/retry`],
      ['POST', `${data}/value/publish`],
    ] as const) {
      expect([path, await statusOf(method, `blue/${path}`)]).toEqual([path, 404]);
    }
    expect(await statusOf('GET', `red/${subscription}`)).toBe(200);
    expect(await statusOf('GET', `red/${data}`)).toBe(200);
  });

  test('cannot be sent in another namespace', async () => {
    const [, id = ''] = (paths['data'] ?? '').split('/');
    const [, group = ''] = (paths['group'] ?? '').split('/');
    expect(await ask('POST', 'blue/messages/broadcast', { body: { data: [{ id }] } })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching('^FF10204') as string },
    });
    const body = { header: { group }, data: [{ value: 1 }] };
    expect(await ask('POST', 'blue/messages/private', { body })).toMatchObject({
      status: 404,
      body: { error: expect.stringMatching('^FF10226') as string },
    });
    const value = { value: 1, datatype: { name: 'n', version: '1' } };
    expect(await ask('POST', 'blue/messages/broadcast', { body: { data: [value] } })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching('^FF10195') as string },
    });
  });
});

test('a name of one namespace is free in another, and its replacement there is another subscription', async () => {
  const created = (await ask('POST', 'blue/subscriptions', { body: { name: 'app' } })) as Answer;
  expect(created.status).toBe(201);
  const before = (await ask('GET', 'red/subscriptions/app')).body;
  await ask('PUT', 'blue/subscriptions', { body: { name: 'app', filter: { tag: 'x' } } });
  expect(await statusOf('DELETE', 'blue/subscriptions/app')).toBe(204);
  expect((await ask('GET', 'red/subscriptions/app')).body).toEqual(before);
});

test('events of one namespace reach no subscriber of another, and are acknowledged nowhere else', async () => {
  const ws = network.node.ws;
  await ask('POST', 'blue/subscriptions', { body: { name: 'watch', options: { firstEvent: 'oldest' } } });
  await ask('POST', 'red/subscriptions', { body: { name: 'watch', options: { firstEvent: 'oldest' } } });
  const filter = 'filter.events=^message_';
  const [blue, red] = [
    new WebSocket(`${ws}/ws?namespace=blue&ephemeral&autoack&${filter}&firstEvent=oldest`),
    new WebSocket(`${ws}/ws?namespace=red&name=watch`),
  ];
  const heard = { blue: [] as { namespace: string }[], red: [] as { namespace: string; id: string }[] };
  blue.on('message', (data: Buffer) => heard.blue.push(JSON.parse(data.toString()) as { namespace: string }));
  red.on('message', (data: Buffer) => heard.red.push(JSON.parse(data.toString()) as { namespace: string; id: string }));
  await expect.poll(() => heard.red.length).toBe(1);
  await ask('POST', 'blue/messages/broadcast?confirm', { body: { data: [{ value: 3 }] } });
  await expect.poll(() => heard.blue.length).toBe(1);
  expect(heard.blue.map(({ namespace }) => namespace)).toEqual(['blue']);
  // The event belongs to red, and no client in blue has received it.
  const stranger = new WebSocket(`${ws}/ws?namespace=blue&name=watch`);
  const answers: string[] = [];
  stranger.on('message', (data: Buffer) => answers.push(data.toString()));
  await expect.poll(() => answers.length).toBe(1);
  stranger.send(JSON.stringify({ type: 'ack', id: heard.red[0]?.id }));
  await expect.poll(() => answers.at(-1)).toContain('FF10175');
  const { body } = await ask('GET', 'red/subscriptions/watch?fetchstatus');
  expect(body).toMatchObject({ status: { inFlight: 1 } });
  for (const socket of [blue, red, stranger]) socket.terminate();
});

test('a socket of a namespace refuses a start for another', async () => {
  const socket = new WebSocket(`${network.node.ws}/api/v1/namespaces/blue/ws`);
  await new Promise((resolve) => socket.once('open', resolve));
  const answered = new Promise<string>((resolve) => {
    socket.once('message', (data: Buffer) => resolve(data.toString()));
  });
  socket.send(JSON.stringify({ type: 'start', namespace: 'red', name: 'watch' }));
  expect(await answered).toContain('FF10462');
  socket.terminate();
});

test('both namespaces exist at the other party, separately', async () => {
  const sent = await ask('POST', 'blue/messages/broadcast?confirm', { body: { data: [{ value: 4 }] } });
  const { header } = sent.body as { header: { id: string } };
  const atBob = (namespace: string) => ask('GET', `${namespace}/messages/${header.id}`, { party: 1 });
  await expect.poll(async () => (await atBob('blue')).status).toBe(200);
  expect((await atBob('red')).status).toBe(404);
});

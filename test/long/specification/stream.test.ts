import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Frame, openStream, refusedStream, type StreamClient } from '../../support/stream-client.js';
import { startWebhookTarget } from '../../support/webhook-target.js';
import { createThreeParties, type Json } from '../../e2e/fixtures/three-parties.js';

/** Events and their subscriptions, as applications find them on a running stack. */

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/) as string;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/) as string;

const stack = createThreeParties();
const open: StreamClient[] = [];
beforeAll(stack.start);
afterEach(async () => {
  for (const stream of open.splice(0)) await stream.close();
});
afterAll(stack.remove);

interface Message extends Json {
  readonly header: { readonly id: string; readonly group?: string };
}
const at = (party: string) => ({ ws: stack.addressOf('/', party).replace(/^http/, 'ws').slice(0, -1) });
async function listen(query: string, party = 'alice'): Promise<StreamClient> {
  const stream = await openStream(at(party), `/ws?namespace=default&${query}`);
  open.push(stream);
  return stream;
}
const post = <T = Json>(path: string, body: object, status = 202, party = 'alice') =>
  stack.post<T>(path, JSON.stringify(body), { status, party });
async function say(tag: string, more: object = {}, party = 'alice'): Promise<string> {
  const path = 'group' in more ? 'send/message' : 'broadcast/message';
  const header = { tag, topics: ['said'], ...('header' in more ? (more.header as object) : {}) };
  const { header: sent } = await post<Message>(path, { data: [{ value: tag }], ...more, header }, 202, party);
  return sent.id;
}
const subscribe = (name: string, more: object = {}) =>
  post(
    'subscriptions',
    { transport: 'websockets', name, options: { firstEvent: 'newest', readAhead: 50 }, ...more },
    201,
  );
const tagOf = ({ message }: Frame) => message?.header.tag;

describe('An ephemeral subscription', () => {
  test('delivers events that occur while it is connected, of the requested types', async () => {
    await stack.confirmed(await say('before'), 'alice');
    const stream = await listen('ephemeral&autoack&filter.events=message_confirmed');
    const id = await say('while');
    const frame = await stream.frame(1);
    expect(frame).toMatchObject({
      id: uuid,
      sequence: expect.any(Number) as number,
      type: 'message_confirmed',
      namespace: 'default',
      reference: id,
      created: time,
      message: { header: { id, tag: 'while' }, state: 'confirmed' },
    });
    expect(frame.subscription).toEqual({ id: uuid, namespace: 'default', name: frame.subscription.id });
  });

  test('carries the message without its data, which is fetched by id', async () => {
    const stream = await listen('ephemeral&autoack&filter.events=message_confirmed');
    const id = await say('payload');
    const { message } = (await stream.frame(1)) as unknown as { readonly message: { readonly data: readonly Json[] } };
    expect(message.data).toEqual([{ id: uuid, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string }]);
    expect(await stack.get(`messages/${id}?data=true`)).toMatchObject({ data: [{ value: 'payload' }] });
    expect(await stack.get(`messages/${id}/data`)).toMatchObject([{ value: 'payload' }]);
  });

  test('without autoack stops until each event is acknowledged with type and id', async () => {
    const stream = await listen('ephemeral&filter.events=message_confirmed');
    for (const tag of ['first', 'second']) await stack.confirmed(await say(tag), 'alice');
    const first = await stream.frame(1);
    expect(tagOf(first)).toBe('first');
    expect(stream.frames).toHaveLength(1);
    stream.send({ type: 'ack', id: first.id });
    expect(tagOf(await stream.frame(2))).toBe('second');
  });

  test('leaves nothing behind', async () => {
    const stream = await listen('ephemeral&autoack');
    await stream.close();
    expect(await stack.get<readonly Json[]>('subscriptions')).toEqual([]);
  });

  test('delivers events in the order of storage, at every party the same messages of a topic', async () => {
    // A message that alice has confirmed may not have reached the others, and would be among their events.
    const before = await say('before-all');
    for (const party of stack.parties) await stack.confirmed(before, party);
    const streams = await Promise.all(
      stack.parties.map((party) => listen('ephemeral&autoack&filter.events=message_confirmed', party)),
    );
    for (let count = 0; count < 20; count++) await say(`n${count}`, {}, stack.parties[count % 3]);
    const tags: (string | undefined)[][] = [];
    for (const stream of streams) {
      await stream.frame(20);
      const sequences = stream.frames.map(({ sequence }) => sequence);
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
      tags.push(stream.frames.map(tagOf));
    }
    expect(tags[1]).toEqual(tags[0]);
    expect(tags[2]).toEqual(tags[0]);
  });
});

describe('A durable subscription', () => {
  test('has a transport, a name, a filter and options; the name is required and unique', async () => {
    const filter = { events: 'message_.*', message: { tag: '^a$' } };
    expect(await subscribe('app', { filter })).toMatchObject({
      id: uuid,
      namespace: 'default',
      name: 'app',
      transport: 'websockets',
      filter,
      options: { readAhead: 50, firstEvent: expect.any(String) as string },
    });
    await post('subscriptions', { transport: 'websockets', name: 'app' }, 409);
    await post('subscriptions', { transport: 'websockets' }, 400);
    await post('subscriptions', { transport: 'pigeons', name: 'other' }, 400);
    await post('/namespaces/default/subscriptions', { transport: 'websockets', name: 'no-prefix' }, 201);
  });

  test('is refused at the handshake if none has the name', async () => {
    expect((await refusedStream(at('alice'), '/ws?namespace=default&name=never-made')).status).toBe(404);
  });

  test('remembers what was acknowledged, and nothing else', async () => {
    await subscribe('remembers', { filter: { message: { tag: '^r' } }, options: { readAhead: 0 } });
    for (const tag of ['r1', 'r2', 'r3']) await stack.confirmed(await say(tag), 'alice');
    const first = await listen('name=remembers');
    first.acknowledge(await first.frame(1));
    expect(tagOf(await first.frame(2))).toBe('r2');
    await first.close();
    const second = await listen('name=remembers');
    expect(tagOf(await second.frame(1))).toBe('r2');
  });

  test('delivers ahead of acknowledgements as many as readAhead says, and then stops', async () => {
    await subscribe('ahead', { filter: { message: { tag: '^h' } }, options: { readAhead: 2 } });
    for (const tag of ['h1', 'h2', 'h3', 'h4', 'h5']) await stack.confirmed(await say(tag), 'alice');
    const stream = await listen('name=ahead');
    await stream.frame(3);
    expect(stream.frames.map(tagOf)).toEqual(['h1', 'h2', 'h3']);
    stream.acknowledge(await stream.frame(1));
    expect(tagOf(await stream.frame(4))).toBe('h4');
    expect(stream.frames).toHaveLength(4);
  });

  test('delivers one copy of each event to all its connections together', async () => {
    await subscribe('shared', { filter: { message: { tag: '^s\\d' } } });
    const streams = [await listen('name=shared&autoack'), await listen('name=shared&autoack')];
    const tags = Array.from({ length: 10 }, (_, index) => `s${index}`);
    for (const tag of tags) await stack.confirmed(await say(tag), 'alice');
    const came = () => streams.flatMap(({ frames }) => frames.map(tagOf));
    await expect.poll(() => came().length).toBeGreaterThanOrEqual(10);
    expect(came().sort()).toEqual(tags);
  });

  test.each([
    ['oldest', ['f1', 'f2', 'f3']],
    ['newest', ['f3']],
  ] as const)('begins at the %s event, as it says', async (firstEvent, expected) => {
    const prefix = `f-${firstEvent}`;
    const filter = { message: { tag: `^${prefix}` } };
    for (const tag of ['f1', 'f2']) await stack.confirmed(await say(`${prefix}-${tag}`), 'alice');
    await subscribe(prefix, { filter, options: { firstEvent } });
    await stack.confirmed(await say(`${prefix}-f3`), 'alice');
    const stream = await listen(`name=${prefix}&autoack`);
    await stream.frame(expected.length);
    expect(stream.frames.map(tagOf)).toEqual(expected.map((tag) => `${prefix}-${tag}`));
  });

  test('begins at a given sequence', async () => {
    await stack.confirmed(await say('numbered'), 'alice');
    const [last] = await stack.get<readonly { readonly sequence: number }[]>('events?type=message_confirmed&limit=1');
    await subscribe('numbered', { options: { firstEvent: String((last?.sequence ?? 0) - 1) } });
    const stream = await listen('name=numbered&autoack');
    expect((await stream.frame(1)).sequence).toBe(last?.sequence);
  });
});

describe('A filter', () => {
  const toBob = { group: { members: [{ identity: 'bob' }] } };

  test.each([
    ['events', (_: Message) => ({ events: '^message_conf' })],
    ['message.author', (_: Message) => ({ 'message.author': 'org/al.ce$' })],
    ['message.group', ({ header }: Message) => ({ 'message.group': `^${header.group ?? ''}$` })],
    ['message.tag', (_: Message) => ({ 'message.tag': '^wan.ed' })],
    ['message.topics', (_: Message) => ({ 'message.topics': 'sec(o)nd' })],
    ['transaction.type', (_: Message) => ({ 'transaction.type': 'batch_pin' })],
  ] as const)('%s is a regular expression over the event', async (field, filterFor) => {
    const tag = `wanted-${field.replace('.', '-')}`;
    const wanted = { data: [{ value: 1 }], header: { tag, topics: ['first', 'second'] } };
    const sample = await post<Message>('send/message', { ...wanted, ...toBob });
    await stack.confirmed(sample.header.id, 'alice');
    const name = `by-${field.replace('.', '-')}`;
    // Both conditions must hold: the tag excludes what other tests send.
    await subscribe(name, { filter: { 'message.tag': `^${tag}$`, events: 'message', ...filterFor(sample) } });
    await subscribe(`not-${name}`, {
      filter: {
        ...filterFor(sample),
        [field]: '^no such thing$',
        ...(field !== 'message.tag' && { 'message.tag': tag }),
      },
    });
    const { header } = await post<Message>('send/message', { ...wanted, ...toBob });
    const match = await listen(`name=${name}&autoack`);
    expect((await match.frame(1)).reference).toBe(header.id);
    const none = await listen(`name=not-${name}&autoack`);
    const last = await stack.get<readonly { readonly sequence: number }[]>('events?limit=1');
    const subscriptions = () => stack.get<readonly { readonly id: string }[]>(`subscriptions?name=not-${name}`);
    const [{ id } = { id: '' }] = await subscriptions();
    const offset = async () => {
      const { status } = await stack.get<{ readonly status: { readonly currentOffset: number } }>(
        `subscriptions/${id}?fetchstatus=true`,
      );
      return status.currentOffset;
    };
    await expect.poll(offset).toBeGreaterThanOrEqual(last[0]?.sequence ?? 0);
    expect(none.frames).toEqual([]);
  });

  test.each(['blockchainevent.listener', 'blockchainevent.name'])('%s is accepted and kept', async (field) => {
    const name = field.replace('.', '-');
    expect(await subscribe(name, { filter: { [field]: '^Changed$' } })).toMatchObject({
      filter: { blockchainevent: { [field.split('.')[1] ?? '']: '^Changed$' } },
    });
  });
});

test('A webhook gets the event and the message, without payloads', async () => {
  const target = await startWebhookTarget();
  try {
    await post(
      'subscriptions',
      {
        transport: 'webhooks',
        name: 'hook',
        options: { url: `${target.url}/hook` },
        filter: { message: { tag: '^hooked$' } },
      },
      201,
    );
    const id = await say('hooked');
    await expect.poll(() => target.calls.length).toBe(1);
    const event = JSON.parse(target.calls[0]?.body ?? '') as Json;
    expect(event).toMatchObject({ type: 'message_confirmed', reference: id, message: { header: { id } } });
    expect(target.calls[0]?.body).not.toContain('"value"');
  } finally {
    await target.goDown();
  }
});

test('Events are listed in the order of their insertion', async () => {
  const events = await stack.get<readonly { readonly sequence: number }[]>('events?limit=50');
  const sequences = events.map(({ sequence }) => sequence);
  expect(sequences).toEqual([...sequences].sort((a, b) => b - a));
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
afterAll(async () => {
  expect(network.node.fatal).toEqual([]);
  await network.stop();
});

interface Frame {
  readonly type: string;
  readonly id?: string;
  readonly error?: string;
  readonly sequence?: number;
  readonly reference?: string;
  readonly message?: { readonly header: { readonly tag?: string } };
}

interface Stream {
  readonly frames: Frame[];
  /** Resolves with the n-th frame, counted from 1. */
  frame(n: number): Promise<Frame>;
  send(text: string): void;
  closed: Promise<number>;
  close(): void;
}

async function open(query: string): Promise<Stream> {
  const socket = new WebSocket(`${network.node.ws}/ws?${query}`);
  const frames: Frame[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)) as Frame);
    for (const wake of waiting.splice(0)) wake();
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    frames,
    async frame(n) {
      for (;;) {
        const frame = frames[n - 1];
        if (frame !== undefined) return frame;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    send: (text) => {
      socket.send(text);
    },
    closed,
    close: () => {
      socket.close();
    },
  };
}

async function broadcast(tag: string, topic = 'default'): Promise<string> {
  const response = await fetch(`${network.node.url}/api/v1/broadcast/message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"header":{"tag":"${tag}","topics":["${topic}"]},"data":[{"value":"${tag}"}]}`,
  });
  const { header } = (await response.json()) as { header: { id: string } };
  return header.id;
}

test('messages sent after the socket is open arrive in order, without their data', async () => {
  const stream = await open('namespace=default&ephemeral&autoack&filter.events=message_confirmed');
  const ids = [await broadcast('a'), await broadcast('b'), await broadcast('c')];
  await stream.frame(3);
  expect(stream.frames.map(({ reference }) => reference)).toEqual(ids);
  const [first, second] = stream.frames;
  expect(second?.sequence).toBeGreaterThan(first?.sequence ?? Number.NaN);
  expect(first).toMatchObject({
    type: 'message_confirmed',
    namespace: 'default',
    topic: 'default',
    subscription: { namespace: 'default' },
    message: { state: 'confirmed', header: { topics: ['default'], topic: ['default'], tag: 'a' } },
  });
  const { subscription, message } = first as unknown as {
    subscription: { id: string; name: string };
    message: { batch: string; batchID: string; data: object[] };
  };
  expect(subscription.name).toBe(subscription.id);
  expect(message.batchID).toBe(message.batch);
  expect(Object.keys(message.data[0] ?? {})).toEqual(['id', 'hash']);
  stream.close();
});

test('without autoack the next event is sent when the last is acknowledged', async () => {
  const stream = await open('namespace=default&ephemeral&filter.events=message');
  await broadcast('a');
  await broadcast('b');
  const first = await stream.frame(1);
  stream.send(`{"type":"ack","id":"${first.id}"}`);
  const second = await stream.frame(2);
  expect(stream.frames).toHaveLength(2);
  expect(second.message?.header.tag).toBe('b');
  stream.close();
});

test('read-ahead allows more events in flight', async () => {
  const stream = await open('ephemeral&readahead=1&filter.events=message');
  for (const tag of ['a', 'b', 'c']) await broadcast(tag);
  const second = await stream.frame(2);
  expect(stream.frames).toHaveLength(2);
  stream.send(`{"type":"ack","id":"${second.id}"}`);
  expect((await stream.frame(3)).message?.header.tag).toBe('c');
  stream.close();
});

test('filters select events', async () => {
  const stream = await open('ephemeral&autoack&filter.message.tag=%5Eyes&filter.topics=%5Eorders%24');
  await broadcast('yes1', 'other');
  await broadcast('no', 'orders');
  await broadcast('yes2', 'orders');
  expect((await stream.frame(1)).message?.header.tag).toBe('yes2');
  stream.close();
});

describe('an invalid frame', () => {
  test.each([
    ['not json', 'FF10176'],
    ['{"type":"dance"}', 'FF10177'],
    ['{"type":"ack","id":"3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11"}', 'FF10175'],
    ['{"type":"ack"}', 'FF10175'],
  ])('%s is answered with %s, and the socket closes', async (text, code) => {
    const stream = await open('ephemeral&filter.events=message');
    stream.send(text);
    const frame = await stream.frame(1);
    expect(frame).toMatchObject({ type: 'protocol_error', error: expect.stringContaining(code) });
    expect(await stream.closed).toBe(1008);
  });

  test('an acknowledgement on an autoack stream is ignored', async () => {
    const stream = await open('ephemeral&autoack&filter.events=message');
    stream.send('{"type":"ack","id":"3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11"}');
    await broadcast('after');
    expect((await stream.frame(1)).message?.header.tag).toBe('after');
    stream.close();
  });

  test('a frame that is too long closes the socket', async () => {
    const stream = await open('ephemeral&autoack&filter.events=message');
    stream.send(`"${'x'.repeat(70_000)}"`);
    expect(await stream.closed).toBe(1009);
  });
});

describe('a handshake', () => {
  test.each([
    ['ephemral', 400],
    ['name=app1&ephemeral', 400],
    ['ephemeral&namespace=nope', 404],
    ['ephemeral&filter.evnts=x', 400],
    ['ephemeral&filter.events=(', 400],
    ['ephemeral&readahead=many', 400],
  ])('with %s is refused with %i', async (query, status) => {
    const socket = new WebSocket(`${network.node.ws}/ws?${query}`);
    const actual = await new Promise((resolve) => {
      socket.once('unexpected-response', (_, response) => resolve(response.statusCode));
      socket.once('error', () => undefined);
    });
    expect(actual).toBe(status);
  });
});

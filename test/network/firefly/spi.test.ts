import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createAuthentication } from '../../../src/http/access/auth.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { stockClient } from '../../support/stock-client.js';

/** The reading part of FireFly's SPI for services next to a node; off by default. */

let network: TestNetwork;
let alice: ReturnType<typeof stockClient>;
beforeAll(async () => {
  network = await startTestNetwork(['alice'], { namespaces: ['default', 'blue'], spi: true });
  alice = stockClient(network.node.url);
});
afterAll(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

const broadcast = (namespace: string) =>
  stockClient(network.node.url, namespace).post('messages/broadcast?confirm=true', { data: [{ value: 1 }] });

/** Connects a service to its socket, and records the frames. */
async function connect(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/spi/ws`, { headers });
  const frames: Record<string, unknown>[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(Buffer.isBuffer(data) ? data.toString() : '{}')));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { socket, frames, closed, start: (command: unknown) => socket.send(JSON.stringify(command)) };
}

describe('below /spi/v1', () => {
  test('namespaces and operations can be read, and nothing can be changed', async () => {
    await broadcast('default');
    expect((await alice.get('/spi/v1/namespaces')).body).toMatchObject([
      { name: 'default' },
      { name: 'blue' },
      { name: 'svc_system' },
    ]);
    expect((await alice.get('/spi/v1/namespaces/blue')).body).toMatchObject({ name: 'blue' });
    const [operation] = await alice.list('/spi/v1/namespaces/default/operations?type=blockchain_pin_batch', 1);
    const id = String(operation?.['id']);
    expect((await alice.get(`/spi/v1/operations/default:${id}`)).body).toMatchObject({ id, namespace: 'default' });
    expect((await alice.get(`/spi/v1/operations/blue:${id}`)).status).toBe(404);
    expect((await alice.ask('PATCH', `/spi/v1/operations/default:${id}`, {})).status).toBe(404);
    expect((await alice.post('/spi/v1/reset')).status).toBe(404);
    expect((await alice.get('/spi/v1/namespaces/blue/messages')).status).toBe(404);
  });
});

describe('the stream at /spi/ws', () => {
  test('reports each new event, in the requested namespaces', async () => {
    const [all, blue, none] = await Promise.all([1, 2, 3].map(() => connect(network.node.url)));
    if (all === undefined || blue === undefined || none === undefined) throw new Error('Nobody is connected.');
    all.start({ type: 'start', collections: ['events', 'messages'], filter: {} });
    blue.start({ type: 'start', collections: ['events'], filter: { types: ['created'], namespaces: ['blue'] } });
    none.start({ type: 'start', collections: ['messages'], filter: { namespaces: null } });
    await broadcast('default');
    const { body } = await broadcast('blue');
    const ids = new Map<string, unknown>();
    for (const namespace of ['default', 'blue']) {
      const path = `/api/v1/namespaces/${namespace}/events?type=message_confirmed&limit=1`;
      ids.set(namespace, (await alice.list(path, 1))[0]?.['id']);
    }
    expect(Object(body['header']).namespace).toBe('blue');
    const frame = (namespace: string) => ({
      collection: 'events',
      type: 'created',
      namespace,
      id: ids.get(namespace),
      sequence: expect.any(Number) as number,
    });
    const wanted = [frame('default'), frame('blue')];
    await expect.poll(() => all.frames).toEqual(expect.arrayContaining(wanted));
    await expect.poll(() => blue.frames).toEqual(expect.arrayContaining([frame('blue')]));
    const sequences = all.frames.map(({ sequence }) => Number(sequence));
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
    expect(blue.frames.every(({ namespace }) => namespace === 'blue')).toBe(true);
    expect(none.frames).toEqual([]);
    for (const { socket } of [all, blue, none]) socket.close();
  });

  test('refuses an invalid start, and describes a valid one', async () => {
    for (const text of ['{"type":"ack"}', 'x', '{"type":"start","collections":"events"}']) {
      const { socket, frames, closed } = await connect(network.node.url);
      socket.send(text);
      expect(await closed).toBe(1008);
      expect(frames).toEqual([
        { type: 'protocol_error', error: expect.stringMatching(/^FF10178: .*"collections"/) as string },
      ]);
    }
  });
});

test('a credential receives and reads only its own namespaces there, and a client without one nothing', async () => {
  const sha256 = (token: string) => ({ kind: 'token', sha256: createHash('sha256').update(token).digest() }) as const;
  const closed = await startTestNetwork(['alice'], {
    namespaces: ['default', 'blue'],
    spi: true,
    authenticationOf: () =>
      createAuthentication([
        { name: 'alice', secret: sha256('all') },
        { name: 'blue', secret: sha256('some'), namespaces: ['blue'] },
      ]),
  });
  try {
    const { url } = closed.node;
    expect((await fetch(`${url}/spi/v1/namespaces`)).status).toBe(401);
    await expect(connect(url)).rejects.toThrow('401');
    const headers = { authorization: 'Bearer some' };
    expect(await (await fetch(`${url}/spi/v1/namespaces`, { headers })).json()).toMatchObject([{ name: 'blue' }]);
    expect((await fetch(`${url}/spi/v1/namespaces/default/operations`, { headers })).status).toBe(403);
    const service = await connect(url, headers);
    service.start({ type: 'start', collections: ['events'] });
    for (const namespace of ['default', 'blue']) {
      const path = `${url}/api/v1/namespaces/${namespace}/messages/broadcast?confirm`;
      const all = { authorization: 'Bearer all', 'content-type': 'application/json' };
      const sent = await fetch(path, { method: 'POST', headers: all, body: '{"data":[{"value":1}]}' });
      expect(sent.status).toBe(200);
    }
    await expect.poll(() => service.frames.length).toBeGreaterThan(0);
    expect(service.frames.every(({ namespace }) => namespace === 'blue')).toBe(true);
    service.socket.close();
  } finally {
    await closed.stop();
  }
});

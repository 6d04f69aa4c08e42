import { connect as connectTo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { checkDurable } from '../../../src/bench/check/durable.js';
import type { DurableStep } from '../../../src/bench/check/recording.js';
import { recordDurably } from '../../../src/bench/durable-recorder.js';
import { createHttpClient } from '../../../src/bench/http.js';
import { listEvents, readOffset } from '../../../src/bench/subscription.js';
import { openSocket } from '../../../src/cli/requests/open-socket.js';
import { consume, type Consumer, subscribe } from '../../support/consumer.js';
import { acknowledgeInDisorder } from '../../support/disorder.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { storeEvents } from '../../support/stored-events.js';

/** Durable subscriptions over real sockets. `npm run trial -- durable` does the same with processes that are killed. */
const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function start(): Promise<TestNetwork> {
  const network = await startTestNetwork();
  endings.push(() => network.stop());
  return network;
}

function connect(url: string, query: string, options?: Parameters<typeof consume>[2]): Consumer {
  const consumer = consume(url, query, options);
  endings.push(() => {
    consumer.kill();
  });
  return consumer;
}

function client() {
  const http = createHttpClient();
  endings.push(() => {
    http.close();
  });
  return http;
}

const oldest = { firstEvent: 'oldest' };
const tagged = (tag: string) => ({ filter: { tag: `^${tag}$` } });

async function send({ node }: TestNetwork, tag: string, number: number): Promise<string> {
  const response = await fetch(`${node.url}/api/v1/namespaces/default/messages/broadcast`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ header: { tag, topics: [tag] }, data: [{ value: number }] }),
  });
  const { header } = (await response.json()) as { readonly header: { readonly id: string } };
  return header.id;
}

/** Opens a socket and sends its close frame; resolves when the node has replied to that. The connection stays open. */
async function openAndClose({ node }: TestNetwork, target: string): Promise<Socket> {
  const { host, hostname, port } = new URL(node.url);
  const socket = connectTo({ host: hostname, port: Number(port), allowHalfOpen: true });
  endings.push(() => socket.destroy());
  let received = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => (received = Buffer.concat([received, bytes])));
  const upgrade = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13'];
  const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, ...upgrade, `Sec-WebSocket-Key: ${'A'.repeat(22)}==`];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await eventually(() => expect(received.toString('latin1')).toMatch(/^HTTP\/1\.1 101[^]*\r\n\r\n$/));
  socket.write(Buffer.from([0x88, 0x80, 0, 0, 0, 0]));
  await eventually(() => expect(received.subarray(-2)).toEqual(Buffer.from([0x88, 0])));
  return socket;
}

describe('a durable subscription', () => {
  it('resumes at the 81st of 300 events when 100 were read and 80 acknowledged', async () => {
    const { node } = await start();
    const ids = await storeEvents(node.database, { count: 300 });
    const id = await subscribe(node.url, 'resume', { ...tagged('stored'), options: { ...oldest, readAhead: 99 } });
    const first = connect(node.url, 'name=resume');
    await eventually(() => expect(first.count()).toBe(100));
    for (const frame of first.frames.slice(0, 80)) first.acknowledge(frame.id);
    const eightieth = first.frames[79]?.sequence ?? Infinity;
    const http = client();
    await eventually(async () => expect(await readOffset(http, node, id)).toBe(eightieth));
    first.kill();
    const next = connect(node.url, 'name=resume', { isAcknowledging: true });
    await eventually(() => expect(next.count()).toBe(220));
    expect(next.frames.map(({ reference }) => reference)).toEqual(ids.slice(80));
  });

  it('loses and reorders nothing when acknowledgements arrive in any order and connections drop', async () => {
    const { node } = await start();
    const count = 300;
    await storeEvents(node.database, { count });
    const readAhead = 12;
    const id = await subscribe(node.url, 'disorder', { ...tagged('stored'), options: { ...oldest, readAhead } });
    const http = client();
    const after = await readOffset(http, node, id);
    const connections: DurableStep[][] = [];
    const done = new Set<string>();
    const some = { url: node.url, name: 'disorder', most: 50, total: count };
    while (done.size < count) connections.push(await acknowledgeInDisorder(some, done));
    const listed = await listEvents(http, { name: 'alice', ...node }, { events: '^message_', after });
    const evidence = { count: 0, faults: [] };
    checkDurable('alice', { readAhead, connections, listed }, evidence);
    expect(evidence.faults).toEqual([]);
    expect(connections.length).toBeGreaterThan(3);
  });

  it('continues at the first unacknowledged event on the second connection when the busy one breaks', async () => {
    const { node } = await start();
    const ids = await storeEvents(node.database, { count: 40 });
    await subscribe(node.url, 'shared', { ...tagged('stored'), options: { ...oldest, readAhead: 9 } });
    const busy = connect(node.url, 'name=shared');
    await eventually(() => expect(busy.count()).toBe(10));
    const standby = connect(node.url, 'name=shared', { isAcknowledging: true });
    await standby.opened;
    for (const frame of busy.frames.slice(0, 5)) busy.acknowledge(frame.id);
    await eventually(() => expect(busy.count()).toBe(15));
    expect(standby.count()).toBe(0);
    busy.kill();
    await eventually(() => expect(standby.count()).toBe(35));
    expect(standby.frames.map(({ reference }) => reference)).toEqual(ids.slice(5));
  });

  it('loses nothing while its node is restarted twenty times in the middle of the stream', async () => {
    const network = await start();
    const recorder = recordDurably(
      { name: 'alice', url: network.node.url },
      { http: client(), openSocket, firstEvent: 'oldest', readAhead: 5 },
    );
    await recorder.opened;
    let sent = 0;
    for (let restart = 0; restart < 20; restart++) {
      for (let message = 0; message < 5; message++) await send(network, 'restarts', sent++);
      await network.restart();
    }
    await eventually(() => {
      const came = new Set(recorder.connections().flatMap((each) => each.map(({ reference }) => reference)));
      expect(came.size).toBe(sent);
    });
    const evidence = { count: 0, faults: [] };
    const record = await recorder.record();
    checkDurable('alice', record, evidence);
    expect(evidence.faults).toEqual([]);
    expect(record.listed).toHaveLength(sent);
    await recorder.close();
  });

  it('that begins with the newest delivers what was sent before the first connection', async () => {
    const network = await start();
    await send(network, 'before', 0);
    await eventually(async () => {
      const response = await fetch(`${network.node.url}/api/v1/namespaces/default/events?type=message_confirmed`);
      expect(await response.json()).toHaveLength(1);
    });
    await subscribe(network.node.url, 'before', { ...tagged('before'), options: { firstEvent: 'newest' } });
    const id = await send(network, 'before', 1);
    const { frames } = connect(network.node.url, 'name=before', { isAcknowledging: true });
    await eventually(() => expect(frames.map(({ reference }) => reference)).toEqual([id]));
  });

  it('loses nothing to a consumer that has closed its socket and stays connected', async () => {
    const network = await start();
    await subscribe(network.node.url, 'closing', tagged('closing'));
    const socket = await openAndClose(network, '/ws?name=closing&autoack');
    const id = await send(network, 'closing', 1);
    const { frames } = connect(network.node.url, 'name=closing', { isAcknowledging: true });
    await eventually(() => expect(frames.map(({ reference }) => reference)).toEqual([id]));
    expect(socket.writable).toBe(true);
  });

  it('delivers the only matching event after very many others, also after a restart', async () => {
    const network = await start();
    const { node } = network;
    const count = 10_000;
    const tagOf = (index: number) => (index === count ? 'needle' : 'hay');
    const ids = await storeEvents(node.database, { count: count + 1, tagOf });
    const id = await subscribe(node.url, 'needle', { ...tagged('needle'), options: oldest });
    const first = connect(node.url, 'name=needle');
    await eventually(() => expect(first.frames[0]?.reference).toBe(ids[count]));
    first.kill();
    await network.restart();
    // Events that do not match stay behind the position: the search is not repeated.
    const sequence = first.frames[0]?.sequence ?? 0;
    expect(await readOffset(client(), node, id)).toBe(sequence - 1);
    const again = connect(node.url, 'name=needle');
    await eventually(() => expect(again.frames[0]?.reference).toBe(ids[count]));
  });

  it('is complete next to a hundred others, and next to one whose consumer does not read', async () => {
    const network = await start();
    const { node } = network;
    const names = Array.from({ length: 100 }, (_, index) => `many-${index}`);
    for (const name of [...names, 'stalled']) await subscribe(node.url, name, { ...tagged('many') });
    const stalled = connect(node.url, 'name=stalled');
    await stalled.opened;
    stalled.pause();
    const consumers = names.map((name) => connect(node.url, `name=${name}`, { isAcknowledging: true }));
    const sent: string[] = [];
    for (let number = 0; number < 10; number++) sent.push(await send(network, 'many', number));
    for (const { frames } of consumers) {
      await eventually(() => expect(frames.map(({ reference }) => reference)).toEqual(sent));
    }
  });
});

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FireFlySubscriptionRequest } from '@hyperledger/firefly-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFireFly, type FireFly, listenAutoack, startListening } from '../../e2e/fixtures/sdk.js';
import { createThreeParties, type Json } from '../../e2e/fixtures/three-parties.js';

/** `listen` of FireFly's own SDK, as applications use it: every message arrives, whatever fails meanwhile. */
const stack = createThreeParties();
let alice: FireFly;
let host = '';
/** Everything that a test has left open. */
const open: { readonly close: () => void }[] = [];
beforeAll(async () => {
  process.env['FF_SDK_LOG_LEVEL'] = 'NONE';
  await stack.start();
  host = stack.addressOf('/').slice(0, -1);
  alice = createFireFly(host);
});
afterEach(async () => {
  for (const each of open.splice(0)) each.close();
  await expect.poll(sockets).toEqual([]);
});
afterAll(stack.remove);

describe('A durable subscription', () => {
  test('delivers messages from before the first connection, and never again once acknowledged', async () => {
    await subscribe('early');
    const sent = await sendMany('early', 20);
    const first = listening('early');
    await expect.poll(() => first.references()).toEqual(sent);
    await expect.poll(() => statusOf('early')).toMatchObject({ inFlight: 0 });
    first.close();
    const second = listening('early');
    const later = await sendMany('early', 5);
    await expect.poll(() => second.references()).toEqual(later);
    expect(second.events).toHaveLength(5);
  });

  test('delivers only what its filter matches, with the message and no values', async () => {
    await subscribe('narrow', { filter: { events: 'message_confirmed', tag: '^narrow$', topics: 'east' } });
    await send('narrow', 0, 'west');
    await send('other', 0, 'east');
    const id = await send('narrow', 1, 'north-east');
    const { events } = listening('narrow');
    await expect.poll(() => events.length).toBe(1);
    expect(events[0]).toMatchObject({
      type: 'message_confirmed',
      reference: id,
      subscription: { name: 'narrow', namespace: 'default', id: expect.any(String) },
      message: { header: { id, tag: 'narrow', topics: ['north-east'] }, state: 'confirmed' },
    });
    expect(events[0]?.message?.data?.[0]).not.toHaveProperty('value');
  });

  test('and another one share a socket, and an event that both match is acknowledged for each', async () => {
    await subscribe('left', { filter: { tag: '^(left|both)$' } });
    await subscribe('right', { filter: { tag: '^(right|both)$' } });
    const { events } = listening(['left', 'right']);
    // On one topic, so that they are decided in this order.
    for (const tag of ['left', 'both', 'right']) await send(tag, 0, 'sides');
    const came = (name: string) =>
      events.filter(({ subscription }) => subscription.name === name).map(({ message }) => message?.header?.tag);
    await expect.poll(() => came('left')).toEqual(['left', 'both']);
    await expect.poll(() => came('right')).toEqual(['both', 'right']);
    for (const name of ['left', 'right']) {
      await expect.poll(() => statusOf(name)).toMatchObject({ inFlight: 0, lag: 0 });
    }
  });

  test('loses nothing and keeps the order while its node is killed, and acknowledgements continue', async () => {
    const { id } = await subscribe('killed', { options: { readAhead: 20 } });
    const listener = listening('killed');
    const sent: string[] = [];
    for (let round = 0; round < 3; round++) {
      sent.push(...(await sendMany('killed', 30)));
      await expect.poll(() => listener.references().length).toBeGreaterThan(round * 30);
      await stack.kill('alice');
    }
    sent.push(...(await sendMany('killed', 30)));
    await expect.poll(() => listener.references()).toEqual(sent);
    const ascending = [...listener.sequences()].sort((a, b) => a - b);
    expect(listener.sequences()).toEqual(ascending);
    const last = ascending.at(-1) ?? Infinity;
    const offset = async () => Number((await statusOf('killed'))['currentOffset']);
    await expect.poll(offset).toBeGreaterThanOrEqual(last);
    expect((await alice.getSubscriptions({ name: 'killed' }))[0]?.id).toBe(id);
  });

  test('continues on a standby connection when the active one ends', async () => {
    await subscribe('shared');
    const active = listening('shared');
    const before = await sendMany('shared', 3);
    await expect.poll(() => active.references()).toEqual(before);
    await expect.poll(() => statusOf('shared')).toMatchObject({ inFlight: 0 });
    const standby = startListening(createFireFly(host), 'shared');
    open.push(standby);
    await expect.poll(() => statusOf('shared')).toMatchObject({ connections: 2 });
    active.close();
    const after = await sendMany('shared', 3);
    await expect.poll(() => standby.references()).toEqual(after);
    expect(active.references()).toEqual(before);
  });

  test('delivers an event whose callback has thrown to the next connection', async () => {
    await subscribe('thrown', { options: { readAhead: 10 } });
    await sendMany('thrown', 6);
    const program = fileURLToPath(new URL('../../e2e/fixtures/application.mjs', import.meta.url));
    const child = spawn(process.execPath, [program, host, 'thrown'], {
      env: { FF_SDK_LOG_LEVEL: 'NONE' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    open.push({ close: () => void child.kill('SIGKILL') });
    const ids: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => void ids.push(line));
    // The callback has thrown at the third event, and acknowledges neither that nor any later one.
    await expect.poll(() => ids.length).toBe(6);
    await expect.poll(() => statusOf('thrown')).toMatchObject({ inFlight: 4 });
    child.kill('SIGKILL');
    const { events } = listening('thrown');
    await expect.poll(() => events.map(({ id }) => id)).toEqual(ids.slice(2));
  });

  test('comes in batches on request, and each batch is acknowledged', async () => {
    const options: object = { readAhead: 10, batch: true, batchTimeout: '20ms', withData: false };
    await subscribe('batched', { options });
    const sent = await sendMany('batched', 35);
    const batches: Json[][] = [];
    const socket = alice.listen('batched', (_socket, frame) => {
      const { type, events } = frame as unknown as { readonly type: string; readonly events: Json[] };
      expect(type).toBe('event_batch');
      batches.push(events);
    });
    open.push(socket);
    const references = () => batches.flat().map(({ reference }) => reference);
    await expect.poll(references).toEqual(sent);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(10);
    await expect.poll(() => statusOf('batched')).toMatchObject({ inFlight: 0, lag: 0 });
  });

  test('needs no acknowledgement on an autoack socket, although the SDK sends them', async () => {
    await subscribe('auto');
    const sent = await sendMany('auto', 10);
    const listener = listenAutoack(host, 'auto');
    open.push(listener);
    await expect.poll(() => listener.references()).toEqual(sent);
    sent.push(...(await sendMany('auto', 10)));
    await expect.poll(() => listener.references()).toEqual(sent);
    expect(listener.events).toHaveLength(sent.length);
    expect(listener.others).toEqual([]);
    await expect.poll(() => statusOf('auto')).toMatchObject({ inFlight: 0, lag: 0 });
  });

  test('that is deleted reports it to its listener, and can be listened to when it is created again', async () => {
    const { id } = await subscribe('deleted');
    const listener = listening('deleted');
    const before = await sendMany('deleted', 2);
    await expect.poll(() => listener.references()).toEqual(before);
    await alice.deleteSubscription(id);
    await expect
      .poll(() => listener.others)
      .toEqual([{ type: 'protocol_error', error: expect.stringMatching(/^FF10173: /) }]);
    await subscribe('deleted');
    const after = await sendMany('deleted', 2);
    await expect.poll(() => listener.references()).toEqual([...before, ...after]);
  });
});

describe('An ephemeral subscription', () => {
  test('delivers every event from its opening on, acknowledged one by one, and leaves nothing behind', async () => {
    const listener = listening({ filter: { events: 'message_confirmed' } });
    await stack.subscribed('alice', 1);
    const sent = await sendMany('fleeting', 30);
    await expect.poll(() => listener.references()).toEqual(sent);
    const names = new Set(listener.events.map(({ subscription }) => subscription.name));
    expect(names.size).toBe(1);
    expect((await alice.getSubscriptions()).filter(({ name }) => names.has(name))).toEqual([]);
    listener.close();
    await expect.poll(sockets).toEqual([]);
  });

  test('reopens when its node was killed, and delivers what is sent from then on', async () => {
    const listener = listening({ filter: { events: 'message_confirmed' } });
    await stack.subscribed('alice', 1);
    await stack.kill('alice');
    await stack.subscribed('alice', 1);
    const sent = await sendMany('fleeting', 10);
    await expect.poll(() => listener.references().slice(-10)).toEqual(sent);
  });
});

function listening(subscriptions: Parameters<FireFly['listen']>[0]) {
  const listener = startListening(createFireFly(host), subscriptions);
  open.push(listener);
  return listener;
}

/** Creates a subscription of this name to the confirmed messages whose tag is its name. */
function subscribe(name: string, request: FireFlySubscriptionRequest = {}) {
  const filter = { events: 'message_confirmed', tag: `^${name}$` };
  return alice.replaceSubscription({ name, transport: 'websockets', filter, ...request });
}

async function statusOf(name: string): Promise<Json> {
  const [{ status } = { status: {} }] = await stack.get<{ readonly status: Json }[]>(
    `subscriptions?name=${name}&fetchstatus=true`,
  );
  return status;
}

async function sockets(): Promise<readonly Json[]> {
  return (await stack.get<{ readonly connections: readonly Json[] }>('websockets')).connections;
}

async function send(tag: string, number: number, topic = tag): Promise<string> {
  const { header } = await alice.sendBroadcast({ header: { tag, topics: [topic] }, data: [{ value: number }] });
  return header.id ?? '';
}

/** Sends messages on one topic, one after the other, so that their events have this order; returns the ids. */
async function sendMany(tag: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) ids.push(await send(tag, number));
  return ids;
}

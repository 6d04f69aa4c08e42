import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../../../src/wire/json/json.js';
import { startTestNetwork, type TestNetwork, type TestNode } from '../../support/node.js';
import { openStream, sendTagged, type StreamClient } from '../../support/stream-client.js';

let network: TestNetwork;
let alice: TestNode;
let bob: TestNode;
beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob'], { namespaces: ['default', 'trade'] });
  const [, second] = network.nodes;
  if (second === undefined) throw new Error('The network has one node only.');
  [alice, bob] = [network.node, second];
});
afterAll(async () => {
  for (const node of network.nodes) expect(node.fatal).toEqual([]);
  await network.stop();
});

const typesOf = (frames: readonly { readonly type: string }[]) => frames.map(({ type }) => type);

describe('a socket that requests changes', () => {
  it("is notified of another party's message before its event, without any of its contents", async () => {
    const stream = await openStream(alice, '/ws?namespace=default&changes&ephemeral&autoack');
    expect(await stream.frame(1)).toEqual({ type: 'changes', namespace: 'default', collections: ['messages'] });
    await sendTagged(bob, 'news');
    await expect.poll(() => typesOf(stream.frames)).toContain('message_confirmed');
    await expect.poll(() => typesOf(stream.frames).filter((type) => type === 'changes').length).toBeGreaterThan(1);
    await stream.close();
  });

  it('gets nothing of another namespace', async () => {
    const stream = await openStream(alice, '/ws?namespace=trade&changes');
    const other = await openStream(alice, '/ws?namespace=default&changes');
    expect(await stream.frame(1)).toMatchObject({ type: 'changes', namespace: 'trade' });
    await other.frame(1);
    await sendTagged(bob, 'elsewhere');
    await other.frame(2);
    await sendTagged(bob, 'here', 'trade');
    await stream.frame(2);
    expect(stream.frames.map((frame) => Reflect.get(frame, 'namespace'))).toEqual(['trade', 'trade']);
    await Promise.all([stream.close(), other.close()]);
  });

  it('is notified when clients connect and disconnect', async () => {
    const stream = await openStream(alice, '/ws?namespace=default&changes');
    await stream.frame(1);
    const seen = () => stream.frames.flatMap((frame): string[] => Reflect.get(frame, 'collections') as string[]);
    const before = seen().filter((each) => each === 'subscriptions').length;
    const other = await openStream(alice, '/ws?namespace=default&ephemeral');
    await expect.poll(() => seen().filter((each) => each === 'subscriptions').length).toBeGreaterThan(before);
    await other.close();
    await stream.close();
  });

  it('is notified when a durable subscription is created, replaced and deleted, in its namespace only', async () => {
    const stream = await openStream(alice, '/ws?namespace=default&changes');
    const other = await openStream(alice, '/ws?namespace=trade&changes');
    const told = ({ frames }: StreamClient) =>
      frames.filter((frame) => textOf(frame).includes('"subscriptions"')).length;
    for (const client of [stream, other]) await expect.poll(() => told(client)).toBe(1);
    const path = `${alice.url}/api/v1/namespaces/default/subscriptions`;
    for (const [method, name] of [['POST'], ['PUT'], ['DELETE', '/app']]) {
      const before = told(stream);
      const headers = { 'content-type': 'application/json' };
      const body = name === undefined ? textOf({ name: 'app' }) : null;
      const { ok } = await fetch(path + (name ?? ''), { method: method ?? 'GET', headers, body });
      expect(ok).toBe(true);
      await expect.poll(() => told(stream)).toBeGreaterThan(before);
    }
    expect(told(other)).toBe(1);
    await Promise.all([stream.close(), other.close()]);
  });

  it('is notified of what has no event, such as uploaded or deleted data, in its namespace only', async () => {
    const stream = await openStream(alice, '/ws?namespace=default&changes');
    const other = await openStream(alice, '/ws?namespace=trade&changes');
    const told = ({ frames }: StreamClient) => frames.filter((frame) => textOf(frame).includes('"data"')).length;
    const path = `${alice.url}/api/v1/namespaces/default/data`;
    const headers = { 'content-type': 'application/json' };
    const uploaded = await fetch(path, { method: 'POST', headers, body: textOf({ value: 'quiet' }) });
    const { id } = (await uploaded.json()) as { readonly id: string };
    await expect.poll(() => told(stream)).toBe(1);
    expect((await fetch(`${path}/${id}`, { method: 'DELETE' })).ok).toBe(true);
    await expect.poll(() => told(stream)).toBe(2);
    expect((await fetch(`${path}/${id}`, { method: 'DELETE' })).status).toBe(404);
    await sendTagged(bob, 'behind');
    await expect.poll(() => textOf(stream.frames.at(-1))).toContain('"messages"');
    expect([told(stream), told(other)]).toEqual([2, 0]);
    await Promise.all([stream.close(), other.close()]);
  });

  it('is notified when a subscription begins by a frame, and ends with its socket', async () => {
    const stream = await openStream(alice, '/ws?namespace=default&changes');
    await stream.frame(1);
    const told = () => stream.frames.filter((frame) => textOf(frame).includes('"subscriptions"')).length;
    await expect.poll(told).toBeGreaterThan(0);
    const silent = await openStream(alice, '/ws');
    const before = told();
    silent.send({ type: 'start', namespace: 'default', ephemeral: true });
    await expect.poll(told).toBeGreaterThan(before);
    const begun = told();
    await silent.close();
    await expect.poll(told).toBeGreaterThan(begun);
    await stream.close();
  });

  it('is the only one: other clients get only events', async () => {
    const stream = await openStream(alice, '/ws?namespace=default&ephemeral&autoack&filter.events=message_confirmed');
    await sendTagged(bob, 'plain');
    await stream.frame(1);
    expect(typesOf(stream.frames)).toEqual(['message_confirmed']);
    await stream.close();
  });
});

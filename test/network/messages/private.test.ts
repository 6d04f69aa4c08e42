import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/wire/messages/message.js';
import { groupContext } from '../../../src/domain/messages/pin.js';
import { databaseKinds } from '../../support/database-kinds.js';
import { about, to, type Pipelines, usePipelines } from '../../support/pipelines.js';
import { decided, rowsOf } from '../../support/pipelines-check.js';

const startPipelines = usePipelines();
const two = ['alice', 'bob'];
const three = ['alice', 'bob', 'carol'];

/** Returns the ids of what a party has decided in a topic, in order. */
async function line(network: Pipelines, name: string, topic = 'orders'): Promise<string[]> {
  const events = await rowsOf(network.party(name).database(), 'events');
  return events.flatMap(({ type, topics, reference }) =>
    type.startsWith('message_') && topics.includes(topic) ? [reference] : [],
  );
}

describe.each(databaseKinds)('a private message on %s', (database) => {
  it('is decided in one order at all members, and no other party has anything of it', async () => {
    const network = await startPipelines({ database });
    const [alice, bob, carol] = three.map((name) => network.party(name));
    const sent: Message[] = [];
    for (let i = 0; i < 5; i++) {
      sent.push(await alice!.send(to(two, ['orders'], { a: i })), await bob!.send(to(two, ['orders'], { b: i })));
    }
    await network.settle();
    const order = await line(network, 'alice');
    expect(order).toHaveLength(10);
    expect(await line(network, 'bob')).toEqual(order);
    expect(
      order.filter((id) => sent.some(({ header }) => header.id === id && header.author.endsWith('alice'))),
    ).toEqual(sent.flatMap(({ header }) => (header.author.endsWith('alice') ? [header.id] : [])));
    expect(await decided(carol!)).toEqual([]);
    for (const table of ['messages', 'data', 'groups', 'nextpins', 'candidates', 'payloads'] as const) {
      expect(await rowsOf(carol!.database(), table), table).toEqual([]);
    }
  });

  it('waits only at the member that lacks an earlier one, and nothing else waits there', async () => {
    const network = await startPipelines({ database });
    const [alice, bob] = three.map((name) => network.party(name));
    network.exchange.cut('alice', 'bob');
    const first = await alice!.send(to(three, ['orders'], 1));
    await network.settle();
    const second = await network.party('carol').send(to(three, ['orders'], 2));
    const other = await network.party('carol').send(to(three, ['bills'], 3));
    const pair = await network.party('carol').send(to(['carol', 'bob'], ['orders'], 4));
    const broadcast = await alice!.broadcast(about(['orders'], 5));
    await network.settle();
    expect((await decided(bob!)).sort()).toEqual([other, pair, broadcast].map(({ header }) => header.id).sort());
    const sameTopic = [first.header.id, second.header.id];
    expect((await decided(alice!)).filter((id) => sameTopic.includes(id))).toEqual(sameTopic);
    const [wait] = await rowsOf(bob!.database(), 'waits');
    expect(wait).toMatchObject({ context: groupContext('orders', first.header.group ?? '') });
    expect(wait?.on).toMatch(/^batch:/);
    network.exchange.mend('alice', 'bob');
    await network.pass(20_000);
    const ordered = (await line(network, 'bob')).filter((id) => [first, second].some(({ header }) => header.id === id));
    expect(ordered).toEqual([first.header.id, second.header.id]);
  });

  it('with several topics is in one order with all that share one of them', async () => {
    const network = await startPipelines({ database });
    const topics = ['a', 'b', 'c'];
    for (let i = 0; i < 12; i++) {
      const party = network.party(three[i % 3] ?? '');
      await party.send(to(three, [topics[i % 3] ?? '', topics[(i + 1) % 3] ?? ''], i));
      if (i % 4 === 0) await network.settle();
    }
    await network.settle();
    for (const topic of topics) {
      const expected = await line(network, 'alice', topic);
      expect(expected).toHaveLength(8);
      for (const name of three) expect(await line(network, name, topic), `${topic} at ${name}`).toEqual(expected);
    }
  });

  it('that arrived before its pin is invisible until the pin, and then decided at once', async () => {
    const network = await startPipelines({ database });
    const [alice, bob] = three.map((name) => network.party(name));
    network.stopChain();
    const message = await alice!.send(to(two, ['orders'], 'early'));
    await network.settle();
    expect(await rowsOf(bob!.database(), 'candidates')).toHaveLength(1);
    for (const table of ['messages', 'data', 'groups', 'nextpins'] as const) {
      expect(await rowsOf(bob!.database(), table), table).toEqual([]);
    }
    network.startChain();
    await network.pass(20_000);
    expect(await decided(bob!)).toEqual([message.header.id]);
    expect(await rowsOf(bob!.database(), 'candidates')).toEqual([]);
    const texts = await rowsOf(bob!.database(), 'payloads');
    expect(texts).toEqual([]);
  });

  it('reaches a member that was down, in the order of the pins', async () => {
    const network = await startPipelines({ database });
    const [alice, bob, carol] = three.map((name) => network.party(name));
    await alice!.send(to(three, ['orders'], 0));
    await network.settle();
    bob!.kill();
    for (let i = 1; i <= 30; i++) {
      await (i % 2 === 0 ? alice! : carol!).send(to(three, ['orders'], i));
      if (i % 7 === 0) await network.settle();
    }
    await network.settle();
    await bob!.restart();
    await network.pass(30_000);
    const order = await line(network, 'alice');
    expect(order).toHaveLength(31);
    expect(await line(network, 'bob')).toEqual(order);
  });

  it('refers to an item that its receiver already has, which stays unchanged', async () => {
    const network = await startPipelines({ database });
    const [alice, bob] = three.map((name) => network.party(name));
    const broadcast = await alice!.broadcast(about(['public'], { shared: 1.5 }));
    await network.settle();
    const [id = ''] = broadcast.data.map((item) => item.id);
    const before = await rowsOf(bob!.database(), 'data');
    const { group } = to(two, ['orders'], 0);
    const message = await alice!.send({ header: { topics: ['orders'] }, group: group!, data: [{ id }] });
    await network.settle();
    expect(await line(network, 'bob')).toEqual([message.header.id]);
    expect(await rowsOf(bob!.database(), 'data')).toEqual(before);
  });

  it('among many has one order: nothing is lost, duplicated or left', async () => {
    const network = await startPipelines({ database });
    const sends = Array.from({ length: 300 }, (_, i) =>
      network.party(three[i % 3] ?? '').send(to(three, [`t${i % 4}`], i)),
    );
    await Promise.all(sends);
    await network.settle();
    for (let topic = 0; topic < 4; topic++) {
      const expected = await line(network, 'alice', `t${topic}`);
      expect(expected).toHaveLength(75);
      for (const name of ['bob', 'carol']) expect(await line(network, name, `t${topic}`)).toEqual(expected);
    }
  });
});

describe('a message without a batch', () => {
  it('is confirmed at the sender at once and at the others when it arrives, and is never on the chain', async () => {
    const network = await startPipelines();
    const [alice, bob, carol] = three.map((name) => network.party(name));
    const logs = network.ledger.logs().length;
    const request = to(two, ['orders'], 1);
    const message = await alice!.send({ ...request, header: { ...request.header, txtype: 'none' } });
    expect(message.state).toBe('confirmed');
    await network.settle();
    expect(await decided(bob!)).toEqual([message.header.id]);
    expect(await decided(carol!)).toEqual([]);
    expect(network.ledger.logs()).toHaveLength(logs);
    const [row] = await rowsOf(bob!.database(), 'messages');
    expect(row).toMatchObject({ state: 'confirmed', pins: [], batch: null });
  });

  it('waits for no pinned message of its topic and group', async () => {
    const network = await startPipelines();
    const [alice, bob] = three.map((name) => network.party(name));
    network.stopChain();
    const pinned = await alice!.send(to(two, ['orders'], 1));
    await network.settle();
    const request = to(two, ['orders'], 2);
    const message = await alice!.send({ ...request, header: { ...request.header, txtype: 'none' } });
    await network.settle();
    expect(await decided(bob!)).toEqual([message.header.id]);
    network.startChain();
    await network.pass(20_000);
    expect(await decided(bob!)).toEqual([message.header.id, pinned.header.id]);
  });
});

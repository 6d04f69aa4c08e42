import { describe, expect, it, onTestFinished } from 'vitest';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { createWorkerJudge } from '../../../src/adapters/judge/worker.js';
import { sealBatch } from '../../../src/domain/messages/batch.js';
import { textOf } from '../../../src/wire/json/json.js';
import { compiled } from '../../support/compiled.js';
import { define, settled, stateOf } from '../../support/datatypes.js';
import { aMessage, anItem, uuid } from '../../support/fixtures.js';
import { mallory, pin, registerMallory } from '../../support/mallory.js';
import { bytesOf, partiesOf, stateAt, upload, withItem } from '../../support/party-blobs.js';
import { codeOfAsync } from '../../support/codes.js';
import { startTestNetwork } from '../../support/node.js';
import { about, usePipelines } from '../../support/pipelines.js';
import { decided } from '../../support/pipelines-check.js';

const startPipelines = usePipelines();
const thread = compiled('src/adapters/judge/thread.ts');
const datatype = { name: 'costly', version: '1' };
const many = <Part>(count: number, part: (index: number) => Part) => Array.from({ length: count }, (_, i) => part(i));
/** Sixty of its values take two thirds of the steps that a batch may take. */
const schema = { allOf: many(300, () => ({ properties: { a: true } })) };
const costly = (number: number) => ({ number, ...Object.fromEntries(many(300, (index) => [`m${index}`, index])) });

describe('values of one batch that are expensive together', () => {
  it('are accepted sixty in a request: the node answers meanwhile, and all parties decide the same', async () => {
    const judge = createWorkerJudge({ log: createSilentLog(), thread });
    const network = await startTestNetwork(['alice', 'bob'], { judge });
    onTestFinished(() => network.stop());
    const api = `${network.node.url}/api/v1/namespaces/default`;
    const post = async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${api}/${path}`, { method: 'POST', headers, body: textOf(body) });
      return { status: response.status, body: (await response.json()) as { readonly header: { readonly id: string } } };
    };
    expect((await post('datatypes?confirm=true', { ...datatype, value: schema })).status).toBe(200);
    const requests = many(3, (request) => many(60, (index) => ({ value: costly(request * 60 + index), datatype })));
    const sent = requests.map((data) => post('messages/broadcast?confirm=true', { data }));
    for (const { url } of network.nodes) expect((await fetch(`${url}/livez`)).status).toBe(200);
    const answers = await Promise.all(sent);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);

    const batches = new Set<string>();
    for (const { url } of network.nodes) {
      for (const { body } of answers) {
        const address = `${url}/api/v1/namespaces/default/messages/${body.header.id}`;
        const read = async () => (await (await fetch(address)).json()) as { readonly state: string; batch: string };
        await expect.poll(read).toMatchObject({ state: 'confirmed' });
        batches.add((await read()).batch);
      }
    }
    // Two of them would exceed the limit of a batch.
    expect(batches.size).toBe(3);
  });

  it('are void beyond the limit of a batch, at all nodes, and the others are valid', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    await define(network.party('alice'), schema, datatype);
    await network.settle();
    await pin(network, forgeTyped([60, 60, 1]));
    await network.settle();
    const after = await network.party('bob').broadcast(about(['orders'], 'after'));
    for (const party of await settled(network)) {
      expect(await stateOf(party, uuid(1))).toMatchObject({ state: 'confirmed' });
      expect(await stateOf(party, uuid(2))).toEqual({ state: 'rejected', code: 'PY1108' });
      expect(await stateOf(party, uuid(3))).toEqual({ state: 'rejected', code: 'PY1108' });
      expect(await decided(party)).toContain(after.header.id);
    }
  });

  it('are counted equally by a node that has deleted some of them, and has restarted since', async () => {
    const { network, alice, bob, carol, before, goOn } = await startHeld();
    await pin(network, forgeTyped([60, 60], ['orders', 'held']));
    await network.settle();
    const [first, second] = [uuid(1), uuid(2)];
    expect([await stateAt(bob, first), await stateAt(bob, second)]).toEqual(['confirmed', 'ready']);
    const items = many(60, (item) => uuid(3_000 + item));
    const remove = (id: string) => codeOfAsync(() => bob.pipeline().removeData('default', id));
    for (const id of items) expect(await remove(id)).toBe('PY1106');
    await bob.restart();
    await goOn();
    expect(await stateAt(bob, before.header.id)).toBe('confirmed');
    for (const party of [alice, bob, carol]) expect(await stateAt(party, second)).toBe('rejected');
    for (const id of items) expect(await remove(id)).toBeUndefined();
  });

  it('are counted equally if their author pins each message in two batches', async () => {
    const { network, alice, bob, carol, goOn } = await startHeld();
    const [one, two] = [forgeMessage(1, 60), forgeMessage(2, 60, 'held')];
    const both = sealTyped([one, two], 1);
    const reference = await network.store.put(new TextEncoder().encode(both.payload));
    network.store.withhold(reference);
    for (const batch of [sealTyped([one], 2), both, sealTyped([two], 3)]) await pin(network, batch);
    await network.settle();
    expect([await stateAt(bob, uuid(1)), await stateAt(bob, uuid(2))]).toEqual(['confirmed', 'ready']);
    network.store.release(reference);
    await network.pass(11_000);
    const remove = (id: string) => codeOfAsync(() => bob.pipeline().removeData('default', id));
    for (const { id } of one.items) expect(await remove(id)).toBe('PY1106');
    await bob.restart();
    await goOn();
    for (const party of [alice, bob, carol]) expect(await stateAt(party, uuid(2))).toBe('rejected');
    for (const { id } of one.items) expect(await remove(id)).toBeUndefined();
  });
});

/** Starts a network with mallory in which the topic `held` waits for a missing file, until `goOn`. */
async function startHeld() {
  const network = await startPipelines();
  const parties = partiesOf(network);
  await registerMallory(network);
  await define(parties.alice, schema, datatype);
  const missing = await upload(parties.alice, bytesOf(100));
  const file = missing.blob?.hash ?? '';
  network.store.withhold(file);
  const before = await parties.alice.broadcast(withItem(missing, ['held']));
  await network.settle();
  const goOn = async (): Promise<void> => {
    network.store.release(file);
    await network.pass(11_000);
  };
  return { network, ...parties, before, goOn };
}

/** A batch of mallory whose messages have this many costly values. */
function forgeTyped(counts: readonly number[], topics: readonly string[] = []) {
  return sealTyped(counts.map((count, index) => forgeMessage(index + 1, count, topics[index])));
}

/** A message of mallory with this many costly values. */
function forgeMessage(number: number, count: number, topic = 'orders') {
  const items = many(count, (item) => {
    const place = (number - 1) * 100 + item;
    return { ...anItem({ id: uuid(place + 3_000), value: textOf(costly(place)) }), datatype };
  });
  const { did: author, key } = mallory;
  return { items, message: aMessage({ id: uuid(number), author, key, topics: [topic] }, items) };
}

function sealTyped(contents: readonly ReturnType<typeof forgeMessage>[], number = 1) {
  const { did: author, key, node } = mallory;
  const created = '2026-01-15T10:00:00.000Z';
  const ids = { id: uuid(number + 1_000), transactionId: uuid(number + 2_000), created };
  const messages = contents.map(({ message }) => message);
  const data = contents.flatMap(({ items }) => items);
  return sealBatch({ ...ids, namespace: 'default', node, author, key, messages, data });
}

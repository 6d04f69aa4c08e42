import { describe, expect, it } from 'vitest';
import { sealBatch, type SealedBatch } from '../../../src/domain/messages/batch.js';
import { hashOfItem, sha256 } from '../../../src/domain/hash.js';
import type { PayloadData } from '../../../src/wire/messages/batch.js';
import { textOf } from '../../../src/wire/json/json.js';
import { datatype, define, stateOf } from '../../support/datatypes.js';
import { aMessage, anItem, uuid } from '../../support/fixtures.js';
import { mallory, pin, registerMallory } from '../../support/mallory.js';
import { type Party, usePipelines } from '../../support/pipelines.js';
import { rowsOf } from '../../support/pipelines-check.js';
import { exactItems } from '../../../src/pipeline/state/messages/exact.js';

const startPipelines = usePipelines();

/** A batch of mallory about one item, with any description. */
function forgeAbout(number: number, item: PayloadData, topic = `of-${number}`): SealedBatch {
  const { did: author, key, node } = mallory;
  const message = aMessage({ id: uuid(number), author, key, topics: [topic] }, [item]);
  return sealBatch({
    id: uuid(number + 1_000),
    namespace: 'default',
    node,
    author,
    key,
    transactionId: uuid(number + 2_000),
    created: '2026-01-15T10:00:00.000Z',
    messages: [message],
    data: [item],
  });
}

/** Returns the items of a message as a party has them. */
async function itemsAt(party: Party, id: string) {
  const message = (await rowsOf(party.database(), 'messages')).find((row) => row.id === id);
  const items = await exactItems(party.database(), message?.data ?? []);
  return [...items.values()].map(({ value, blobHash, datatypeName }) => ({ value, blobHash, datatypeName }));
}

describe('an item that a member describes in two ways', () => {
  const item = anItem({ value: textOf({ order: 'one' }) });

  it("is judged at each message by that message's description, whatever came first", async () => {
    const network = await startPipelines();
    await registerMallory(network);
    await define(network.party('alice'));
    await network.settle();
    // The one that is pinned first, and violates its datatype, arrives last.
    network.store.withholdNew();
    await pin(network, forgeAbout(1, { ...item, datatype }));
    network.store.withholdNew(false);
    await pin(network, forgeAbout(2, item));
    await network.settle();
    for (const name of network.store.contents.keys()) network.store.release(name);
    await network.pass(20_000);
    for (const party of network.parties) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'rejected', code: 'FF10198' });
      expect(await stateOf(party, uuid(2))).toMatchObject({ state: 'confirmed' });
      expect(await itemsAt(party, uuid(1))).toMatchObject([{ datatypeName: 'order' }]);
      expect(await itemsAt(party, uuid(2))).toMatchObject([{ datatypeName: null }]);
    }
  });

  it('in the same message of two batches is judged by the batch that was pinned first', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    await define(network.party('alice'));
    await network.settle();
    const first = forgeAbout(1, { ...item, datatype });
    const { did: author, key, node } = mallory;
    const message = aMessage({ id: uuid(1), author, key, topics: ['of-1'] }, [item]);
    const second = sealBatch({
      id: uuid(1_500),
      namespace: 'default',
      node,
      author,
      key,
      transactionId: uuid(2_500),
      created: '2026-01-15T10:00:00.000Z',
      messages: [message],
      data: [item],
    });
    network.store.withholdNew();
    await pin(network, first);
    network.store.withholdNew(false);
    await pin(network, second);
    await network.settle();
    for (const name of network.store.contents.keys()) network.store.release(name);
    await network.pass(20_000);
    for (const party of network.parties) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'rejected', code: 'FF10198' });
      expect(await itemsAt(party, uuid(1))).toMatchObject([{ datatypeName: 'order' }]);
    }
  });

  it('as a file that nobody has delays only the message with that description', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    const { hash } = item;
    expect(hash).toBe(hashOfItem({ value: item.value }));
    const { value: _, ...bare } = item;
    await pin(network, forgeAbout(1, { ...bare, blob: { hash, size: 15, public: 'QmNowhere' } }));
    await network.settle();
    await pin(network, forgeAbout(2, item));
    await network.settle();
    for (const party of network.parties) {
      expect(await stateOf(party, uuid(1))).toMatchObject({ state: 'ready' });
      expect(await stateOf(party, uuid(2))).toMatchObject({ state: 'confirmed' });
      expect(await itemsAt(party, uuid(2))).toEqual([{ value: item.value, blobHash: null, datatypeName: null }]);
      network.expectWaiting(party.name, [uuid(1)]);
    }
  });

  it('as a file at a wrong place is found at the place that another description gives', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    const bytes = new TextEncoder().encode('a file');
    const reference = await network.store.put(bytes);
    const blob = { hash: sha256(bytes), size: bytes.length };
    const { value: _, ...bare } = { ...anItem(), hash: hashOfItem({ blob }) };
    await pin(network, forgeAbout(1, { ...bare, blob: { ...blob, public: 'QmNowhere' } }));
    await network.settle();
    await pin(network, forgeAbout(2, { ...bare, blob: { ...blob, public: reference } }));
    await network.pass(5_000);
    for (const party of network.parties) {
      for (const id of [uuid(1), uuid(2)]) expect(await stateOf(party, id)).toMatchObject({ state: 'confirmed' });
    }
  });
});

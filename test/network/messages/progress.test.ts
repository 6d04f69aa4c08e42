import { describe, expect, it } from 'vitest';
import { organizationDid } from '../../../src/domain/network/identity.js';
import { textOf } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { batchProgress, messageProgress } from '../../../src/pipeline/progress.js';
import type { MessageRow } from '../../../src/ports/tables/tables.js';
import { readReferred } from '../../../src/pipeline/records/referred.js';
import { datatype, define, order } from '../../support/datatypes.js';
import { uuid } from '../../support/fixtures.js';
import { launch, parties, startWithMallory, valid } from '../../support/hostile-group.js';
import { forge, pin, registerMallory } from '../../support/mallory.js';
import { bytesOf, upload } from '../../support/party-blobs.js';
import { about, type Party, to, usePipelines } from '../../support/pipelines.js';
import { rowsOf } from '../../support/pipelines-check.js';

const startPipelines = usePipelines();
const three = ['alice', 'bob', 'carol'];

async function rowOf(party: Party, id: string): Promise<MessageRow> {
  const row = (await rowsOf(party.database(), 'messages')).find((each) => each.id === id);
  if (row === undefined) throw new Error(`${party.name} has no message ${id}`);
  return row;
}

async function progressOf(party: Party, id: string) {
  return messageProgress(party.database(), await rowOf(party, id));
}

describe('the progress of a message', () => {
  it('passes through all its steps, at the sender and at the others', async () => {
    const network = await startPipelines();
    const alice = network.party('alice');
    const sent = await alice.send(to(three, ['orders'], 1));
    const broadcast = await alice.broadcast(about(['orders'], 2));
    await network.settle();
    for (const name of three) {
      for (const [{ header }, way] of [
        [sent, 'delivered'],
        [broadcast, 'stored'],
      ] as const) {
        const progress = await progressOf(network.party(name), header.id);
        expect(progress.steps.map(({ step }) => step)).toEqual([
          'accepted',
          'sealed',
          way,
          'pinned',
          'batch',
          'data',
          'next',
          'decided',
        ]);
        expect(progress, name).not.toHaveProperty('missing');
        expect(progress.waits, name).toEqual([]);
      }
    }
  });

  it('names the batch of another member that must come first, and who can send it', async () => {
    const network = await startPipelines();
    const [alice, bob, carol] = [network.party('alice'), network.party('bob'), network.party('carol')];
    network.exchange.cut('alice', 'bob');
    const first = await alice.send(to(three, ['orders'], 1));
    await network.settle();
    const second = await carol.send(to(three, ['orders'], 2));
    await network.settle();
    const progress = await progressOf(bob, second.header.id);
    const { batch, batchHash } = await rowOf(alice, first.header.id);
    expect(progress).toMatchObject({ state: 'ready', missing: 'next' });
    expect(progress.waits).toMatchObject([
      { on: 'batch', batch, author: 'did:parley:org/alice', context: { topic: 'orders', group: first.header.group } },
    ]);
    const wanted = (await rowsOf(bob.database(), 'batches')).find(({ hash }) => hash === batchHash);
    const ofBatch = wanted === undefined ? undefined : await batchProgress(bob.database(), wanted);
    expect(ofBatch).toMatchObject({
      id: batch,
      state: 'wanted',
      waits: [{ on: 'batch', author: 'did:parley:org/alice' }],
    });
    const atSender = await progressOf(alice, first.header.id);
    expect(atSender).toMatchObject({ state: 'confirmed', missing: 'delivered' });
    network.exchange.mend('alice', 'bob');
    await network.pass(20_000);
    expect(await progressOf(bob, second.header.id)).toMatchObject({ state: 'confirmed', waits: [] });
  });

  it('names the message that comes first in its topic, and what that one waits for', async () => {
    const network = await startPipelines();
    const [alice, bob, carol] = [network.party('alice'), network.party('bob'), network.party('carol')];
    network.exchange.cut('alice', 'bob');
    const missing = await alice.send(to(three, ['orders'], 1));
    await network.settle();
    const first = await carol.send(to(three, ['orders', 'invoices'], 2));
    await network.settle();
    const second = await bob.send(to(three, ['invoices'], 3));
    await network.settle();
    const { group } = first.header;
    const { batch } = await rowOf(alice, missing.header.id);
    const behind = { context: { topic: 'invoices', group }, message: first.header.id, author: 'did:parley:org/carol' };
    expect((await progressOf(bob, second.header.id)).waits).toMatchObject([{ on: 'context', ...behind }]);
    const { waits } = await progressOf(bob, first.header.id);
    expect(waits.map(({ on }) => on).sort()).toEqual(['batch', 'context']);
    for (const wait of waits) {
      expect(wait).toMatchObject({ batch, author: 'did:parley:org/alice' });
      expect(wait).not.toHaveProperty('message');
    }
    network.exchange.mend('alice', 'bob');
    await network.pass(20_000);
    expect(await progressOf(bob, second.header.id)).toMatchObject({ state: 'confirmed', waits: [] });
  });

  it('names the earlier message whose file is missing', async () => {
    const network = await startPipelines();
    const [alice, bob, carol] = [network.party('alice'), network.party('bob'), network.party('carol')];
    const file = await upload(alice, bytesOf(10));
    network.exchange.cutBlobs('alice', 'bob');
    const request = to(three, ['orders'], 1);
    const first = await alice.send({ ...request, data: [...(request.data ?? []), { id: file.id }] });
    await network.settle();
    const second = await carol.send(to(three, ['orders'], 2));
    await network.settle();
    const author = 'did:parley:org/alice';
    const [own, earlier] = [await progressOf(bob, first.header.id), await progressOf(bob, second.header.id)];
    expect(own.waits).toMatchObject([{ on: 'blob', author }]);
    expect(own.waits[0]).not.toHaveProperty('message');
    expect(own.missing).toBe('data');
    expect(earlier.waits).toMatchObject([{ on: 'blob', author, message: first.header.id }]);
    expect(earlier.missing).toBe('next');
    network.exchange.mendBlobs('alice', 'bob');
    await network.pass(20_000);
  });

  it('names only the batch of a definition that comes first, since that is of another namespace', async () => {
    const network = await startPipelines();
    const [alice, bob, carol] = [network.party('alice'), network.party('bob'), network.party('carol')];
    await define(alice);
    await network.settle();
    network.store.withholdNew();
    await define(carol, order, { name: 'bill', version: '1.0' });
    await network.settle();
    const request = to(three, ['orders'], 1);
    const typed = await alice.send({ ...request, data: [{ value: textOf({ order: 1 }), datatype }] });
    await network.settle();
    const definition = (await rowsOf(bob.database(), 'batches')).find(({ state }) => state === 'wanted');
    const { waits } = await progressOf(bob, typed.header.id);
    expect(waits).toMatchObject([{ on: 'context', batch: definition?.id, author: 'did:parley:org/carol' }]);
    expect(waits[0]).not.toHaveProperty('message');
    network.store.withholdNew(false);
    for (const reference of network.store.contents.keys()) network.store.release(reference);
    await network.pass(20_000);
  });

  it.each(['none', 'batch_pin'])('sent with %s names the member that refuses it, as does an event', async (txtype) => {
    const network = await startPipelines();
    await registerMallory(network, { status: 'refused', reason: 'not today' });
    network.expectFailures('alice');
    const alice = network.party('alice');
    const file = await upload(alice, bytesOf(10));
    const request = to(['bob', 'mallory'], ['orders'], 1);
    const header = { topics: ['orders'], tag: 'new', txtype };
    const sent = await alice.send({ ...request, header, data: [...(request.data ?? []), { id: file.id }] });
    await network.pass(10_000);
    const progress = await progressOf(alice, sent.header.id);
    expect(progress).toMatchObject({ state: 'confirmed', missing: 'delivered' });
    const detail = expect.stringMatching(/Failed: The peer refused: not today/) as string;
    expect(progress.waits).toMatchObject([
      { on: 'operation', detail },
      { on: 'operation', detail },
    ]);
    const events = (await rowsOf(alice.database(), 'events')).filter(({ type }) => type === 'message_op_failed');
    const failed = (await rowsOf(alice.database(), 'operations')).filter(({ status }) => status === 'Failed');
    expect(events.map(({ reference }) => reference).sort()).toEqual(failed.map(({ id }) => id).sort());
    expect(failed.map(({ type }) => type).sort()).toEqual(['dataexchange_send_batch', 'dataexchange_send_blob']);
    const { id: correlator } = sent.header;
    for (const event of events) expect(event).toMatchObject({ correlator, topic: 'orders', tag: 'new' });
    const [{ embedded } = { embedded: {} }] = await readReferred(alice.database(), events);
    expect(embedded).toMatchObject({ operation: { status: 'Failed', error: 'The peer refused: not today' } });
  });

  it('whose key has no funds shows it, with one event, and is sent when it has', async () => {
    const network = await startPipelines();
    const alice = network.party('alice');
    network.ledger.starve(true);
    const sent = await alice.broadcast(about(['orders'], 1));
    await network.pass(60_000);
    const progress = await progressOf(alice, sent.header.id);
    expect(progress).toMatchObject({ state: 'ready', missing: 'pinned' });
    expect(progress.waits).toMatchObject([
      { on: 'operation', detail: expect.stringContaining('too little') as string },
    ]);
    expect(alice.pipeline().away()).toMatchObject([{ error: expect.stringContaining('too little') as string }]);
    const events = async () =>
      (await rowsOf(alice.database(), 'events')).filter(({ type }) => type === 'message_op_waiting');
    expect(await events()).toMatchObject([{ correlator: sent.header.id, topic: 'orders' }]);
    network.ledger.starve(false);
    await network.pass(60_000);
    expect(await progressOf(alice, sent.header.id)).toMatchObject({ state: 'confirmed', waits: [] });
    expect(await events()).toHaveLength(1);
  });

  it('that was cancelled reaches no other step, and waits for nothing', async () => {
    const network = await startPipelines();
    network.expectFailures('bob');
    const bob = network.party('bob');
    await network.party('alice').pipeline().acceptPool('default', { name: 'coins', type: 'fungible' }, true);
    await network.pass(1_000);
    const message = { data: [{ value: compact('1') }] };
    const { record } = await bob.pipeline().acceptTransfer('default', 'mint', { amount: compact('5'), message });
    await network.pass(2_000);
    const staged = await progressOf(bob, record.message ?? '');
    expect(staged).toMatchObject({ state: 'cancelled', waits: [] });
    expect(staged).not.toHaveProperty('missing');
  });

  it('stops with its batch when that is given up', async () => {
    const network = await startPipelines();
    // Its failed pin stays.
    network.expectWaiting('alice', []);
    const alice = network.party('alice');
    network.ledger.revertCalls(1);
    const sent = await alice.broadcast(about(['orders'], 1));
    await network.settle();
    expect(await progressOf(alice, sent.header.id)).toMatchObject({ state: 'ready', missing: 'pinned' });
    const { batch } = await rowOf(alice, sent.header.id);
    await alice.pipeline().cancelBatch('default', batch ?? '');
    const [row] = await rowsOf(alice.database(), 'batches');
    const both = [
      await progressOf(alice, sent.header.id),
      row === undefined ? undefined : await batchProgress(alice.database(), row),
    ];
    for (const progress of both) {
      expect(progress).toMatchObject({ state: 'cancelled', waits: [] });
      expect(progress).not.toHaveProperty('missing');
    }
  });

  it('names the payload that the store does not have', async () => {
    const network = await startPipelines();
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    network.store.withholdNew();
    const broadcast = await alice.broadcast(about(['orders'], 1));
    await network.settle();
    const { batchHash } = await rowOf(alice, broadcast.header.id);
    const wanted = (await rowsOf(bob.database(), 'batches')).find(({ hash }) => hash === batchHash);
    const progress = wanted === undefined ? undefined : await batchProgress(bob.database(), wanted);
    expect(progress).toMatchObject({ state: 'wanted', missing: 'batch' });
    expect(progress?.waits.map(({ on }) => on)).toEqual(['batch', 'operation']);
    network.store.withholdNew(false);
    const [reference = ''] = network.store.contents.keys();
    network.store.release(reference);
    await network.pass(20_000);
  });

  it('ends with a void batch', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    await pin(network, forge({ author: organizationDid('alice') }));
    await network.settle();
    for (const name of three) await expectEndOfVoid(network.party(name));
  });
});

it('the progress of a private batch ends when it is void', async () => {
  const { network, end } = await startWithMallory(startPipelines);
  await launch(network, end, { ...valid, id: uuid(77) });
  for (const name of parties) await expectEndOfVoid(network.party(name));
});

async function expectEndOfVoid(party: Party): Promise<void> {
  const database = party.database();
  const batches = (await rowsOf(database, 'batches')).filter(({ state }) => state === 'void');
  const [progress] = await Promise.all(batches.map((each) => batchProgress(database, each)));
  expect(progress, party.name).toMatchObject({ state: 'void', waits: [] });
  expect(progress, party.name).not.toHaveProperty('missing');
}

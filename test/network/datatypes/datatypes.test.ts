import { expect, describe, it } from 'vitest';
import { datatypeRecord } from '../../../src/pipeline/records/records.js';
import type { DataInput } from '../../../src/wire/data/data.js';
import { textOf } from '../../../src/wire/json/json.js';
import { codeOfAsync } from '../../support/codes.js';
import { define, settled, stateOf } from '../../support/datatypes.js';
import { databaseKinds } from '../../support/database-kinds.js';
import { type Party, to, usePipelines } from '../../support/pipelines.js';
import { rowsOf } from '../../support/pipelines-check.js';

const startPipelines = usePipelines();
/** A value with the datatype of orders. */
function typed(value: unknown, version = '1.0'): DataInput {
  return { value: textOf(value), datatype: { name: 'order', version } };
}

function send(party: Party, item: DataInput, topics = ['orders']) {
  return party.broadcast({ header: { topics }, data: [item] });
}

/** Returns the types of the events about datatypes and messages, in order, with their references. */
async function story(party: Party): Promise<string[]> {
  const events = await rowsOf(party.database(), 'events');
  const told = events.filter(({ type }) => type.startsWith('datatype') || type.startsWith('message'));
  return told.map(({ type, reference }) => `${type} ${reference}`);
}

describe.each(databaseKinds)('a datatype on %s', (database) => {
  it('is defined everywhere with the same id, and its event precedes the event of its message', async () => {
    const network = await startPipelines({ database });
    const { message, datatype: accepted } = await define(network.party('alice'));
    expect(message).toMatchObject({
      header: { type: 'definition', namespace: 'svc_system', tag: 'svc_define_datatype', topics: ['svc_ns_default'] },
      state: 'ready',
    });
    for (const party of await settled(network)) {
      const [row] = await rowsOf(party.database(), 'datatypes');
      expect(row && datatypeRecord(row)).toEqual({ ...accepted, created: expect.any(String) as string });
      expect(row?.pin).toBe((await rowsOf(party.database(), 'pins'))[0]?.sequence);
      expect(await story(party)).toEqual([
        `datatype_confirmed ${accepted.id}`,
        `message_confirmed ${message.header.id}`,
        `message_confirmed ${message.header.id}`,
      ]);
      const events = await rowsOf(party.database(), 'events');
      expect(events.find(({ reference }) => reference === accepted.id)).toMatchObject({
        namespace: 'default',
        topic: 'svc_definition',
        tx: (await rowsOf(party.database(), 'batches'))[0]?.txid,
        txtype: 'batch_pin',
      });
      expect(events.find(({ reference }) => reference === message.header.id)?.correlator).toBe(accepted.id);
    }
  });

  it('is accepted by a node on its first start that cannot read the chain yet, as soon as it can', async () => {
    const network = await startPipelines({ database, organizations: ['alice'] });
    network.stopChain();
    const asked = define(await network.join('dave'));
    let isAnswered = false;
    void asked.then(() => (isAnswered = true));
    await network.pass(20_000);
    expect(isAnswered).toBe(false);
    network.startChain();
    await network.pass(11_000);
    const { message, datatype } = await asked;
    expect(await stateOf(network.party('dave'), message.header.id)).toMatchObject({ state: 'confirmed' });
    for (const party of await settled(network)) {
      expect(await rowsOf(party.database(), 'datatypes')).toMatchObject([{ id: datatype.id }]);
    }
  });

  it('with a given name and version is the first in the order of the chain, at every party', async () => {
    const network = await startPipelines({ database });
    const sent = [];
    for (const name of ['alice', 'bob', 'carol']) sent.push(await define(network.party(name), { title: name }));
    const winners = new Set<string>();
    for (const party of await settled(network)) {
      const rows = await rowsOf(party.database(), 'datatypes');
      expect(rows).toHaveLength(1);
      winners.add(rows[0]?.id ?? '');
      const states = await Promise.all(sent.map(({ message }) => stateOf(party, message.header.id)));
      expect(states.filter((each) => each?.state === 'confirmed')).toHaveLength(1);
      expect(states.filter((each) => each?.code === 'FF10407')).toHaveLength(2);
    }
    expect(winners.size).toBe(1);
    // Each that came too late has an event in the namespace and, except at its author, one where it is stored.
    for (const party of network.parties) {
      const events = await rowsOf(party.database(), 'events');
      const own = sent.find(({ message }) => message.header.key === party.key)?.message.header.id;
      const told = events.filter(({ type }) => type === 'message_rejected');
      for (const { message } of sent) {
        const { id } = message.header;
        const namespaces = told.filter(({ reference }) => reference === id).map(({ namespace }) => namespace);
        const isLate = namespaces.length > 0;
        if (isLate) expect(namespaces.sort()).toEqual(id === own ? ['default'] : ['default', 'svc_system']);
      }
      expect(new Set(told.map(({ reference }) => reference)).size).toBe(2);
    }
  });

  it('must be known to the sender, and the value must conform', async () => {
    const network = await startPipelines({ database });
    const alice = network.party('alice');
    expect(await codeOfAsync(() => send(alice, typed({ order: 1 })))).toBe('FF10195');
    // A database in another process may be so slow that the definition is decided before the next line.
    network.stopChain();
    await define(alice);
    expect(await codeOfAsync(() => send(alice, typed({ order: 1 })))).toBe('FF10195');
    network.startChain();
    await network.pass(11_000);
    expect(await codeOfAsync(() => send(alice, typed({ order: 'one' })))).toBe('FF10198');
    expect(await codeOfAsync(() => send(alice, typed({ order: 1 }, '1.1')))).toBe('FF10195');
    const { header } = await send(alice, typed({ order: 1 }));
    for (const party of await settled(network))
      expect(await stateOf(party, header.id)).toMatchObject({ state: 'confirmed' });
  });

  it('validates private messages, pinned or not, by the same rule', async () => {
    const network = await startPipelines({ database });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    await define(alice);
    await network.settle();
    const base = to(['alice', 'bob'], ['orders'], 0);
    const pinned = await alice.send({ ...base, data: [typed({ order: 1 })] });
    const unpinned = await alice.send({
      ...base,
      header: { ...base.header, txtype: 'none' },
      data: [typed({ order: 2 })],
    });
    await network.settle();
    for (const { header } of [pinned, unpinned])
      expect(await stateOf(bob, header.id)).toMatchObject({ state: 'confirmed' });
  });

  it('is waited for by an unpinned message that arrived earlier', async () => {
    const network = await startPipelines({ database });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    network.store.withholdNew();
    await define(alice);
    await network.settle();
    const base = to(['alice', 'bob'], ['orders'], 0);
    const requests = [typed({ order: 1 }), typed({ order: 2 })].map((item) => {
      return alice.send({ ...base, header: { ...base.header, txtype: 'none' }, data: [item] });
    });
    const sent = await Promise.all(requests);
    await network.settle();
    const waits = (await rowsOf(bob.database(), 'waits')).filter(({ on }) => on === 'datatype:default/order/1.0');
    expect(waits).toHaveLength(2);
    for (const name of network.store.contents.keys()) network.store.release(name);
    await network.pass(20_000);
    for (const { header } of sent) expect(await stateOf(bob, header.id)).toMatchObject({ state: 'confirmed' });
    expect(await rowsOf(bob.database(), 'waits')).toEqual([]);
  });
});

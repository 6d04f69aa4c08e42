import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/wire/json/json.js';
import { databaseKinds } from '../support/database-kinds.js';
import { bytesOf, stateAt, upload } from '../support/party-blobs.js';
import { expectOneOrder, rowsOf } from '../support/pipelines-check.js';
import { about, to, usePipelines } from '../support/pipelines.js';
import { rebuildAll, reorganise } from '../support/reorganised.js';

const start = usePipelines();
const parties = { organizations: ['alice', 'bob'] };

describe.each(databaseKinds)('a rebuild on %s, after a reorganisation, if data was deleted', (database) => {
  it.each([
    ['its author', ['alice', 'bob']],
    ['its receiver', ['bob', 'alice']],
  ])('decides a private message again whose data its receiver has deleted, with %s first', async (_, order) => {
    const network = await start({ ...parties, database });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const { header, data } = await alice.send(to(['alice', 'bob'], ['deal'], 1));
    await network.settle();
    await bob.pipeline().removeData('default', data[0]?.id ?? '');
    await reorganise(network, 1);
    await rebuildAll(network, order.map(network.party));
    for (const party of network.parties) expect(await stateAt(party, header.id)).toBe('confirmed');
    await bob.send(to(['alice', 'bob'], ['deal'], 2));
    await network.settle();
    await expectOneOrder(network, ['deal']);
    const sends = await rowsOf(alice.database(), 'operations');
    expect(sends.map(({ status }) => status)).not.toContain('Pending');
    expect(await rowsOf(bob.database(), 'candidates')).toEqual([]);
  });

  it('requests a private message that its receiver cannot read again from its author, with its file', async () => {
    const network = await start({ ...parties, database });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const { id = '' } = await upload(alice, bytesOf(1_000));
    const { header, data } = await alice.send({
      ...to(['alice', 'bob'], ['deal'], 1),
      data: [{ id }, { value: textOf(1) }],
    });
    await network.pass(12_000);
    for (const item of data) await bob.pipeline().removeData('default', item.id);
    expect(await bob.rebuild({ from: 0 })).toBe(true);
    await bob.restart();
    await network.pass(12_000);
    await bob.send(to(['alice', 'bob'], ['deal'], 2));
    await network.pass(12_000);
    expect(await stateAt(bob, header.id)).toBe('confirmed');
    await expectOneOrder(network, ['deal']);
    expect(await rowsOf(bob.database(), 'blobs')).toHaveLength(1);
    for (const table of ['claims', 'candidates'] as const) expect(await rowsOf(bob.database(), table)).toEqual([]);
    for (const party of network.parties) {
      const operations = await rowsOf(party.database(), 'operations');
      expect(operations.filter(({ status }) => status !== 'Succeeded')).toEqual([]);
    }
  });

  it.each([
    ['its author', ['alice', 'bob']],
    ['its receiver', ['bob', 'alice']],
  ])('brings a file again that its receiver has deleted, with %s first', async (_, order) => {
    const network = await start({ ...parties, database });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const { id = '' } = await upload(alice, bytesOf(1_000));
    const { header } = await alice.send({ ...to(['alice', 'bob'], ['deal'], 1), data: [{ id }] });
    await network.pass(12_000);
    await bob.pipeline().removeData('default', id);
    expect(await rowsOf(bob.database(), 'blobs')).toEqual([]);
    for (const party of order.map(network.party)) {
      expect(await party.rebuild({ from: 0 })).toBe(true);
      await party.restart();
      await network.pass(12_000);
    }
    for (const party of network.parties) expect(await stateAt(party, header.id)).toBe('confirmed');
    expect(await rowsOf(bob.database(), 'blobs')).toHaveLength(1);
    for (const table of ['claims', 'candidates'] as const) expect(await rowsOf(bob.database(), table)).toEqual([]);
  });

  it('restores only a typed value that its author has deleted, since others judge it again', async () => {
    const network = await start({ ...parties, database });
    const alice = network.party('alice');
    const datatype = { name: 'note', version: '1' };
    await alice.pipeline().acceptDatatype('default', { ...datatype, value: textOf({ type: 'object' }) });
    await network.settle();
    const item = { datatype, value: textOf({ a: 1 }) };
    const { id: file = '' } = await upload(alice, bytesOf(1_000));
    const { header, data } = await alice.broadcast({ ...about(['orders'], 1), data: [item, { id: file }] });
    await network.pass(12_000);
    const before = await rowsOf(alice.database(), 'data');
    for (const { id } of data) await alice.pipeline().removeData('default', id);
    await reorganise(network, 1);
    await rebuildAll(network);
    for (const party of network.parties) expect(await stateAt(party, header.id)).toBe('confirmed');
    const plain = (rows: typeof before) => rows.map(({ id, hash, seal, value }) => [id, hash, seal, value]);
    const typed = before.filter(({ id }) => id !== file);
    expect(plain(await rowsOf(alice.database(), 'data'))).toEqual(plain(typed));
  });
});

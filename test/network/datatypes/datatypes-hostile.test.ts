import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/domain/hash.js';
import { textOf } from '../../../src/wire/json/json.js';
import { datatype, define, order, settled, stateOf } from '../../support/datatypes.js';
import { uuid } from '../../support/fixtures.js';
import { forgeItem, mallory, pin, registerMallory } from '../../support/mallory.js';
import { about, usePipelines } from '../../support/pipelines.js';
import { decided, rowsOf } from '../../support/pipelines-check.js';

const startPipelines = usePipelines();

/** A definition by mallory, valid apart from the changes. */
function forgeDefinition(number: number, changes: Readonly<Record<string, unknown>> = {}, tag = 'svc_define_datatype') {
  const schema = changes['value'] ?? { type: 'string' };
  const hash = sha256(textOf(schema));
  const record = {
    id: uuid(number + 4_000),
    validator: 'json',
    namespace: 'default',
    name: `of-${number}`,
    version: '1',
  };
  const header = { type: 'definition', namespace: 'svc_system', topics: ['svc_ns_default'], tag } as const;
  return forgeItem({
    number,
    header: { ...header, topics: [...header.topics] },
    value: { ...record, hash, value: schema, ...changes },
  });
}

describe('a hostile member', () => {
  it('sends a value that violates its datatype: it is rejected everywhere, and the topic continues', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    await define(network.party('alice'));
    await network.settle();
    await pin(network, forgeItem({ number: 1, value: { order: 'one' }, datatype }));
    await network.settle();
    const after = await network.party('bob').broadcast(about(['orders'], 'after'));
    for (const party of await settled(network)) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'rejected', code: 'FF10198' });
      expect(await decided(party)).toContain(after.header.id);
    }
  });

  it('names an undefined datatype: it is rejected everywhere, and no node waits', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    await pin(network, forgeItem({ number: 1, value: 1, datatype }));
    for (const party of await settled(network)) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'rejected', code: 'FF10195' });
      expect(await rowsOf(party.database(), 'waits')).toEqual([]);
    }
  });

  it('names a datatype before its definition: it is rejected everywhere, even where that is known', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    const early = forgeItem({ number: 1, value: { order: 1 }, datatype });
    network.store.withholdNew();
    await pin(network, early);
    network.store.withholdNew(false);
    await pin(network, forgeDefinition(2, { ...datatype, value: order }));
    await pin(network, forgeItem({ number: 3, value: { order: 3 }, header: { topics: ['other'] }, datatype }));
    await network.settle();
    for (const party of network.parties) expect(await rowsOf(party.database(), 'datatypes')).toHaveLength(1);
    for (const name of network.store.contents.keys()) network.store.release(name);
    await network.pass(20_000);
    for (const party of network.parties) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'rejected', code: 'FF10195' });
      expect(await stateOf(party, uuid(2))).toMatchObject({ state: 'confirmed' });
      expect(await stateOf(party, uuid(3))).toMatchObject({ state: 'confirmed' });
    }
  });

  it.each([
    ['a record that is none', { name: 5 }, 'FF10400'],
    ['a record with more in it', { more: true }, 'FF10400'],
    ['a record for another namespace', { namespace: 'other' }, 'FF10400'],
    ['a name that is none', { name: '-' }, 'FF10403'],
    ['a name like an id', { name: uuid(7) }, 'FF10403'],
    ['another hash', { hash: '0'.repeat(64) }, 'FF10403'],
    ['what is no schema', { value: { type: 'text' } }, 'FF10406'],
    ['a reference to another place', { value: { $ref: 'http://127.0.0.1:9/schema' } }, 'FF10406'],
    ['a pattern that takes long', { value: { pattern: '(a{1,1000})'.repeat(90) } }, 'FF10406'],
  ])('defines %s: rejected at all', async (_, changes, code) => {
    const network = await startPipelines();
    await registerMallory(network);
    await pin(network, forgeDefinition(1, changes));
    const { message } = await define(network.party('alice'));
    for (const party of await settled(network)) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'rejected', code });
      expect(await stateOf(party, message.header.id)).toMatchObject({ state: 'confirmed' });
      expect(await rowsOf(party.database(), 'datatypes')).toHaveLength(1);
    }
  });

  it('uses an id that is taken, or an unknown tag: it is rejected everywhere', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    await pin(network, forgeDefinition(1));
    await pin(network, forgeDefinition(2, { id: uuid(4_001) }));
    await pin(network, forgeDefinition(3, {}, 'svc_define_nothing'));
    for (const party of await settled(network)) {
      expect(await stateOf(party, uuid(2))).toEqual({ state: 'rejected', code: 'FF10404' });
      expect(await stateOf(party, uuid(3))).toEqual({ state: 'rejected', code: 'FF10400' });
    }
  });

  it.each([
    ['nobody', 'did:parley:nobody', 'FF10408'],
    ['another member', 'did:parley:org/alice', 'FF10409'],
    ['the node of another member', 'did:parley:node/alice-node', 'FF10409'],
  ])('says something of %s: rejected at all', async (_, did, code) => {
    const network = await startPipelines();
    await registerMallory(network);
    const header = {
      type: 'definition',
      namespace: 'svc_system',
      topics: ['svc_ns_default'],
      tag: 'svc_identity_update',
    } as const;
    const value = { did, namespace: 'default', description: 'mine' };
    await pin(network, forgeItem({ number: 1, header: { ...header, topics: [...header.topics] }, value }));
    const own = { did: mallory.did, namespace: 'default', description: 'mine' };
    await pin(network, forgeItem({ number: 2, header: { ...header, topics: [...header.topics] }, value: own }));
    for (const party of await settled(network)) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'rejected', code });
      expect(await stateOf(party, uuid(2))).toMatchObject({ state: 'confirmed' });
      expect(await rowsOf(party.database(), 'profiles')).toMatchObject([
        { identity: mallory.did, description: 'mine' },
      ]);
    }
  });

  it('sends a value that needs too many steps: it is rejected everywhere, with the same reason', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    await pin(network, forgeDefinition(1, { ...datatype, value: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } }));
    await pin(network, forgeItem({ number: 2, value: 1, datatype }));
    const reasons = new Set<string | null | undefined>();
    for (const party of await settled(network)) {
      const rows = await rowsOf(party.database(), 'messages');
      reasons.add(rows.find(({ id }) => id === uuid(2))?.rejectReason);
    }
    expect([...reasons]).toEqual([expect.stringMatching(/^FF10198/)]);
  });
});

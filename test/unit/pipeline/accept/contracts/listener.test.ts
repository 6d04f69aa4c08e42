import { beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryLedger } from '../../../../../src/adapters/blockchain/memory/memory.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { locationOf } from '../../../../../src/domain/contracts/location.js';
import { maxListenerFilters, maxListeners, sourceSubject } from '../../../../../src/domain/contracts/listener.js';
import { systemNamespace } from '../../../../../src/domain/network/identity.js';
import { type Profile, profileRulesOf } from '../../../../../src/domain/network/profile.js';
import { createListenerAcceptance, findListener } from '../../../../../src/pipeline/accept/contracts/listener.js';
import { newBlockchainEvent } from '../../../../../src/pipeline/receive/contracts/blockchain-event.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { writeParts } from '../../../../../src/pipeline/records/contracts.js';
import { networkSource } from '../../../../../src/pipeline/state/chain/cursor.js';
import { listenerRecord } from '../../../../../src/pipeline/records/listeners.js';
import type { ListenerRequest } from '../../../../../src/wire/contracts/contract.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import { compact } from '../../../../../src/wire/json/json-reader.js';
import { completeParts } from '../../../../../src/domain/contracts/ffi.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { uuid } from '../../../../support/fixtures.js';
import { aChange, aListener, boxAddress, changed, emptied, otherAddress } from '../../../../support/listeners.js';
import { every } from '../../../../../src/ports/tables/where.js';

const ns = 'default';
const signature = 'Changed(address,uint256)';
const at = locationOf(boxAddress);

let database = createMemoryDatabase();
let ledger = createMemoryLedger({ clock: createManualClock() });
let accept = create();

function create(profile?: Profile) {
  const [clock, random] = [createManualClock(), createSeededRandom(1)];
  const blockchain = ledger.connect({ keys: [] });
  const parts = { database, blockchain, bus: createBus(), clock, random };
  return createListenerAcceptance({ ...parts, profileRules: profileRulesOf(profile) });
}

beforeEach(() => {
  database = createMemoryDatabase();
  ledger = createMemoryLedger({ clock: createManualClock() });
  accept = create();
});

const inline: ListenerRequest = { topic: 'box', event: changed, location: at };
const createListener = (request: ListenerRequest) => accept.createListener(ns, request);
const refusal = (request: ListenerRequest) => codeOfAsync(() => createListener(request));

/** Stores an interface that has two events with the same name. */
async function defineBox(): Promise<string> {
  const events = [changed, { ...changed, params: changed.params.slice(0, 1) }, emptied];
  const parts = completeParts({ methods: [], events, errors: [] });
  const row = {
    namespace: ns,
    id: uuid(300),
    message: null,
    name: 'box',
    networkName: null,
    description: '',
    version: '1.0',
    ...writeParts(parts),
    published: false,
    pin: null,
  };
  await database.transaction((unit) => unit.insert('interfaces', [row]));
  return row.id;
}

describe('a new listener', () => {
  test('selects the event that the request describes, and begins with the oldest', async () => {
    const row = await createListener({ ...inline, name: 'boxes' });
    expect(row).toMatchObject({ state: 'joining', firstBlock: 0 });
    const filter = { event: { name: 'Changed', params: changed.params }, location: at, signature };
    expect(listenerRecord(row)).toEqual({
      id: row.id,
      namespace: ns,
      name: 'boxes',
      backendId: row.id,
      location: at,
      created: row.created,
      event: filter.event,
      signature,
      topic: 'box',
      state: 'joining',
      options: { firstEvent: 'oldest' },
      filters: [filter],
    });
  });

  test('selects an event by its path in an interface, which is named by id or by name and version', async () => {
    const id = await defineBox();
    const second = await createListener({ topic: 'box', interface: { id: id.toUpperCase() }, eventPath: 'Changed_1' });
    expect(listenerRecord(second)).toMatchObject({ interface: { id }, signature: 'Changed(address)' });
    const first = await createListener({
      topic: 'box',
      interface: { name: 'box', version: '1.0' },
      eventPath: 'Changed',
    });
    expect(first).toMatchObject({ interface: id, signature, location: null });
  });

  test('may have several filters, which take absent fields from the request; the first is repeated', async () => {
    const id = await defineBox();
    const filters = [{ eventPath: 'Changed' }, { eventPath: 'Emptied', location: locationOf(otherAddress) }];
    const row = await createListener({ topic: 'box', interface: { id }, location: at, filters });
    expect(row).toMatchObject({ interface: null, location: null, event: null });
    expect(listenerRecord(row)).toMatchObject({
      interface: { id },
      location: at,
      event: { name: 'Changed' },
      signature: `${signature};Emptied(address)`,
      filters: [
        { location: at, interface: { id }, signature },
        { location: locationOf(otherAddress), signature: 'Emptied(address)' },
      ],
    });
  });

  test('has its id as its name if the request has none', async () => {
    const row = await createListener(inline);
    expect(row.name).toBe(row.id);
    expect(await findListener(database, ns, row.name.toUpperCase())).toEqual(row);
  });

  test('takes an address in any case and shows it in lower case', async () => {
    const location = textOf({ address: boxAddress.toUpperCase().replace('0X', '0x') });
    expect((await createListener({ ...inline, location })).location).toBe(at);
  });

  test('begins with the first event that the request names', async () => {
    const beginningOf = async (firstEvent: string) => {
      const topic = `t${await database.count('listeners', { namespace: every })}`;
      const row = await createListener({ ...inline, topic, options: { firstEvent: compact(firstEvent) } });
      return [row.firstBlock, listenerRecord(row).options.firstEvent];
    };
    await database.transaction((unit) =>
      unit.insert('cursors', [
        {
          namespace: systemNamespace,
          source: networkSource,
          genesisHash: 'g',
          contract: 'c',
          block: 41,
          blockHash: 'b',
        },
      ]),
    );
    expect(await beginningOf('"newest"')).toEqual([42, 'newest']);
    expect(await beginningOf('"oldest"')).toEqual([0, 'oldest']);
    expect(await beginningOf('17')).toEqual([17, '17']);
    expect(await beginningOf('"18"')).toEqual([18, '18']);
  });

  test('begins after the newest block of the chain while its node has read nothing yet', async () => {
    ledger.call(boxAddress, { type: 'contract', to: boxAddress, data: '0x', gas: 21_000, value: '0' });
    const newest = { ...inline, options: { firstEvent: compact('"newest"') } };
    expect(await createListener(newest)).toMatchObject({ firstBlock: 2 });
    ledger.stop();
    expect(await refusal({ ...newest, topic: 'stopped' })).toBe('PY1010');
    expect(await createListener({ ...inline, topic: 'stopped' })).toMatchObject({ firstBlock: 0 });
  });
});

test('a listener of a network with the profile of FireFly begins with the newest event by default', async () => {
  accept = create('firefly');
  expect(listenerRecord(await createListener(inline)).options.firstEvent).toBe('newest');
  const asked = { ...inline, topic: 'asked', options: { firstEvent: compact('"oldest"') } };
  expect(listenerRecord(await createListener(asked)).options.firstEvent).toBe('oldest');
});

describe('a listener is refused', () => {
  test('without a topic, or with a reserved or invalid one', async () => {
    const { topic: _, ...rest } = inline;
    expect(await refusal(rest)).toBe('FF00112');
    expect(await refusal({ ...inline, topic: '' })).toBe('FF00112');
    expect(await refusal({ ...inline, topic: 'a b' })).toBe('FF00140');
    expect(await refusal({ ...inline, topic: 'svc_batch_pin' })).toBe('PY1105');
  });

  test('with a name that is invalid, looks like an id, or is reserved', async () => {
    expect(await refusal({ ...inline, name: '-' })).toBe('FF00140');
    expect(await refusal({ ...inline, name: uuid(1) })).toBe('FF00141');
    expect(await refusal({ ...inline, name: 'svc_x' })).toBe('PY1105');
  });

  test('when its name is taken in the namespace', async () => {
    await createListener({ ...inline, name: 'boxes' });
    expect(await refusal({ ...inline, name: 'boxes', topic: 'other' })).toBe('FF10312');
    expect(await codeOfAsync(() => accept.createListener('blue', { ...inline, name: 'boxes' }))).toBeUndefined();
  });

  test('when another one has the same topic and the same filters, in any order', async () => {
    await createListener(inline);
    expect(await refusal({ topic: 'box', filters: [{ event: changed, location: at }] })).toBe('FF10383');
    expect(await refusal({ ...inline, topic: 'other' })).toBeUndefined();
    expect(await refusal({ ...inline, location: locationOf(otherAddress) })).toBeUndefined();
    expect(await refusal({ topic: 'box', event: changed })).toBeUndefined();
    const filters = [{ event: changed }, { event: emptied, location: at }];
    await createListener({ topic: 'both', filters });
    expect(await refusal({ topic: 'both', filters: filters.toReversed() })).toBe('FF10383');
  });

  test('without an event, with two descriptions of it, or with an unknown one', async () => {
    const id = await defineBox();
    expect(await refusal({ topic: 'box' })).toBe('FF10317');
    expect(await refusal({ topic: 'box', eventPath: 'Changed' })).toBe('FF10317');
    expect(await refusal({ topic: 'box', filters: [{ location: at }] })).toBe('FF10317');
    expect(await refusal({ ...inline, filters: [{ event: changed }] })).toBe('FF10317');
    expect(await refusal({ topic: 'box', interface: { id }, eventPath: 'Chnged' })).toBe('FF10370');
    expect(await refusal({ topic: 'box', interface: { id: uuid(1) }, eventPath: 'Changed' })).toBe('FF10303');
    expect(await refusal({ topic: 'box', interface: { name: 'box' }, eventPath: 'Changed' })).toBe('FF10303');
    expect(await refusal({ topic: 'box', interface: { id: 'x' }, eventPath: 'Changed' })).toBe('FF00138');
  });

  test('for an anonymous event, which has no signature topic on the chain', async () => {
    const anonymous = { ...changed, details: textOf({ anonymous: true }) };
    expect(await refusal({ ...inline, event: anonymous })).toBe('FF10317');
  });

  test('at an invalid location', async () => {
    for (const location of ['{}', '"0x00"', '{"address":"0x00"}', '{"address":7}', 'null', '[]']) {
      expect(await refusal({ ...inline, location: compact(location) })).toBe('FF10310');
    }
  });

  test('with an invalid first event', async () => {
    for (const firstEvent of ['"first"', '-1', '1.5', '"-1"', 'null', '{}', '1e20']) {
      expect(await refusal({ ...inline, options: { firstEvent: compact(firstEvent) } })).toBe('FF10191');
    }
  });

  test('with the same filter twice, or with too many filters', async () => {
    expect(await refusal({ topic: 'box', filters: [{ event: changed }, { event: changed }] })).toBe('FF00133');
    const filters = Array.from({ length: maxListenerFilters + 1 }, () => ({ event: changed }));
    expect(await refusal({ topic: 'box', filters })).toBe('FF00134');
  });

  test('when the node has the maximum number of listeners', async () => {
    const rows = Array.from({ length: maxListeners }, (_, n) => aListener({ id: uuid(10_000 + n), name: `l${n}` }));
    await database.transaction((unit) => unit.insert('listeners', rows));
    expect(await refusal(inline)).toBe('PY1008');
  });
});

test('the signature of a listener is computed without creating one', async () => {
  expect(await accept.signatureOfListener(ns, { filters: [{ event: emptied }, { event: changed }] })).toBe(
    `${signature};Emptied(address)`,
  );
  expect(await database.count('listeners', { namespace: every })).toBe(0);
});

describe('a listener that is deleted', () => {
  test('is removed with its sources, its name is free again, and its recorded events stay', async () => {
    const filters = [{ event: changed }, { event: emptied, location: locationOf(boxAddress) }];
    const { id, namespace } = await createListener({ topic: 'box', name: 'boxes', filters });
    const source = { namespace, kind: 'listener', address: boxAddress, topics: [], withInput: false } as const;
    const subjects = [null, boxAddress].map((address) => ({ ...source, subject: sourceSubject(id, address) }));
    const recorded = newBlockchainEvent({
      namespace,
      id: uuid(1),
      eventId: uuid(2),
      source: 'ethereum',
      name: changed.name,
      signature,
      log: aChange(7, { block: 3 }),
      output: textOf({ value: '7' }),
      listener: id,
      backendId: id,
      origin: id,
      topic: 'box',
      created: '2026-01-15T10:00:00.000Z',
    });
    await database.transaction(async (unit) => {
      await unit.insert('sources', subjects);
      await unit.insert('blockchainevents', [recorded.record]);
      await unit.insert('events', [recorded.event]);
    });
    await accept.deleteListener(ns, 'boxes');
    expect(await database.count('sources', { namespace: every })).toBe(0);
    expect(await database.count('blockchainevents', { namespace, listener: id })).toBe(1);
    expect(await database.count('events', { namespace, listener: id })).toBe(1);
    expect(await codeOfAsync(() => findListener(database, ns, id))).toBe('FF10109');
    expect(await refusal({ ...inline, name: 'boxes' })).toBeUndefined();
  });

  test('is not found from another namespace', async () => {
    const { id } = await createListener(inline);
    expect(await codeOfAsync(() => accept.deleteListener('blue', id))).toBe('FF10109');
  });
});

import { describe, expect, it } from 'vitest';
import { createErc1155 } from '../../../../../src/adapters/token-connector/erc1155.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { callLane, newOperation } from '../../../../../src/pipeline/operations/operation.js';
import { compact } from '../../../../../src/wire/json/json-reader.js';
import type { PoolRequest } from '../../../../../src/wire/token.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { keyOf } from '../../../../support/registry.js';
import { deskKey } from '../messages/acceptance.js';
import { aPool, aTokenScene, contract } from './a-token-scene.js';

const coins = { name: 'coins', type: 'fungible' };

const erc1155 = createErc1155({ address: contract, firstBlock: 0 });

/** Returns the row of an interface. */
function anInterface(changes: Partial<NewRow<'interfaces'>> = {}): NewRow<'interfaces'> {
  const none = compact('[]');
  const names = { namespace: 'default', id: uuid(50), name: 'token', version: '1.0', networkName: null };
  const empty = { description: '', methods: none, events: none, errors: none };
  return { ...names, ...empty, message: null, published: false, pin: null, ...changes };
}

describe('a token pool', () => {
  it('is answered as requested, without the fields that only the chain determines', async () => {
    const { acceptPool } = await aTokenScene([]);
    const { record } = await acceptPool('default', { ...coins, symbol: 'CN' }, true);
    expect(record).toEqual({
      id: expect.any(String),
      type: 'fungible',
      namespace: 'default',
      name: 'coins',
      key: keyOf(1),
      symbol: 'CN',
      connector: 'erc1155',
      active: false,
      created: expect.any(String),
      tx: { type: 'token_pool', id: expect.any(String) },
      published: false,
    });
  });

  it('is stored with its operation, its transaction and an event', async () => {
    const { acceptPool, database } = await aTokenScene([]);
    const { record, operation } = await acceptPool('default', { ...coins, networkName: 'money' }, true);
    expect(await rowsOf(database, 'pools')).toMatchObject([{ id: record.id, state: 'creating', networkName: null }]);
    const input = { pool: record.id, name: 'coins', networkName: 'money', publish: true, key: keyOf(1) };
    const data = `{"tx":"${record.tx?.id}","txtype":"token_pool"}`;
    const subject = { id: operation, type: 'token_create_pool', tx: record.tx?.id, plugin: 'erc1155' };
    expect(await rowsOf(database, 'operations')).toMatchObject([{ ...subject, input: { ...input, data } }]);
    const event = { type: 'transaction_submitted', reference: record.tx?.id };
    expect(await rowsOf(database, 'events')).toMatchObject([event]);
  });

  it.each<[string, PoolRequest]>([
    ['FF00112', { type: 'fungible' }],
    ['FF00112', { name: 'coins' }],
    ['FF00172', { name: 'coins', type: 'semifungible' }],
    ['FF00140', { name: 'my coins', type: 'fungible' }],
    ['FF00141', { name: uuid(1), type: 'fungible' }],
    ['PY1105', { name: 'svc_coins', type: 'fungible' }],
    ['FF00140', { ...coins, networkName: '' }],
    ['FF10272', { ...coins, connector: 'erc20' }],
    ['FF10206', { ...coins, key: keyOf(2) }],
    ['PY1011', { ...coins, config: compact('[]') }],
    ['PY1011', { ...coins, config: compact('{"address":7}') }],
    ['FF00172', { ...coins, interfaceFormat: 'wsdl' }],
    ['FF10303', { ...coins, interface: { id: uuid(404) } }],
    ['FF10303', { ...coins, interface: { name: 'token', version: '2.0' } }],
    ['FF00112', { ...coins, interface: { name: 'token' } }],
    ['FF00138', { ...coins, interface: { id: 'token' } }],
    ['FF00135', { ...coins, idempotencyKey: 'x'.repeat(257) }],
    ['FF00135', { ...coins, symbol: 'x'.repeat(65) }],
    ['FF10275', { name: 'pool-1', type: 'fungible' }],
    ['FF10448', { ...coins, networkName: 'pool-1' }],
  ])('is refused with %s for %j, and stores nothing', async (code, request) => {
    const { acceptPool, counts } = await aTokenScene();
    expect(await codeOfAsync(() => acceptPool('default', request, true))).toBe(code);
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
  });

  it('is refused without a connector if there are several, which the error names', async () => {
    const { acceptPool } = await aTokenScene([], [erc1155, { ...erc1155, name: 'erc20_erc721' }]);
    await expect(acceptPool('default', coins, true)).rejects.toThrow(
      'FF10292: The field connector is required, since there are several: erc1155, erc20_erc721.',
    );
  });

  it('is refused on a node without connectors, and in the system namespace', async () => {
    const { acceptPool } = await aTokenScene([], []);
    expect(await codeOfAsync(() => acceptPool('default', coins, true))).toBe('FF10272');
    expect(await codeOfAsync(() => acceptPool('svc_system', coins, true))).toBe('FF10415');
  });

  it('is refused with a network name if it is not published', async () => {
    const { acceptPool } = await aTokenScene([]);
    expect(await codeOfAsync(() => acceptPool('default', { ...coins, networkName: 'money' }, false))).toBe('PY1011');
  });

  it('may have an interface, which must be published if the pool is', async () => {
    const { acceptPool, database } = await aTokenScene([]);
    await database.transaction((unit) => unit.insert('interfaces', [anInterface()]));
    const request = { ...coins, interface: { name: 'token', version: '1.0' }, interfaceFormat: 'ffi' };
    expect(await codeOfAsync(() => acceptPool('default', request, true))).toBe('FF10451');
    const { record } = await acceptPool('default', request, false);
    expect(record).toMatchObject({ interface: { id: uuid(50) }, interfaceFormat: 'ffi' });
  });

  it('has a unique name, also among concurrent requests', async () => {
    const { acceptPool, database } = await aTokenScene([]);
    const accept = (name: string) => codeOfAsync(() => acceptPool('default', { ...coins, name }, true));
    expect(await Promise.all([accept('a'), accept('a'), accept('b')])).toEqual([undefined, 'FF10275', undefined]);
    expect(await rowsOf(database, 'pools')).toHaveLength(2);
  });

  it('is accepted once for an idempotency key', async () => {
    const { acceptPool, database } = await aTokenScene([]);
    const accept = (name: string) =>
      codeOfAsync(() => acceptPool('default', { ...coins, name, idempotencyKey: name }, true));
    expect(await Promise.all([accept('a'), accept('a'), accept('b')])).toEqual([undefined, 'FF10431', undefined]);
    const again = { ...coins, name: 'c', idempotencyKey: 'a' };
    expect(await codeOfAsync(() => acceptPool('default', again, true))).toBe('FF10431');
    expect(await rowsOf(database, 'pools')).toHaveLength(2);
  });
});

describe('the publication of a pool', () => {
  const local = { published: false, message: null, networkName: null };

  it('is a definition with the given network name', async () => {
    const { publishPool, database } = await aTokenScene([aPool(1, local)]);
    const { record, message } = await publishPool('default', 'pool-1', { networkName: 'money' });
    expect(record).toMatchObject({ id: uuid(1), published: false, message: message.header.id });
    expect(message.header).toMatchObject({ type: 'definition', tag: 'svc_define_pool', topics: ['svc_ns_default'] });
    const [item] = await rowsOf(database, 'data');
    expect(item?.value).toContain(`{"id":"${uuid(1)}","type":"fungible","namespace":"default","name":"money"`);
  });

  it('is signed with the key that created the pool, unless the check of permissions refuses it', async () => {
    const { publishPool, database } = await aTokenScene([aPool(1, { ...local, key: deskKey })]);
    const refuse = (key: string): never => {
      throw new Error(`not with ${key}`);
    };
    await expect(publishPool('default', 'pool-1', {}, refuse)).rejects.toThrow(`not with ${deskKey}`);
    expect(await rowsOf(database, 'messages')).toEqual([]);
    expect((await publishPool('default', 'pool-1', {})).message.header.key).toBe(deskKey);
  });

  it('is refused for a pool that is published or being published', async () => {
    const { publishPool } = await aTokenScene([aPool(1), aPool(2, local)]);
    expect(await codeOfAsync(() => publishPool('default', 'pool-1', {}))).toBe('FF10450');
    await publishPool('default', 'pool-2', {});
    expect(await codeOfAsync(() => publishPool('default', 'pool-2', {}))).toBe('FF10450');
  });

  it('is accepted once for an idempotency key', async () => {
    const { publishPool } = await aTokenScene([aPool(1, local)]);
    const publish = () => publishPool('default', 'pool-1', { idempotencyKey: 'k' });
    await publish();
    expect(await codeOfAsync(publish)).toBe('FF10430');
  });

  it('is refused for a pool that is not active, and for an unknown pool', async () => {
    const { publishPool } = await aTokenScene([aPool(1, { ...local, active: false, state: 'known' })]);
    expect(await codeOfAsync(() => publishPool('default', 'pool-1', {}))).toBe('FF10293');
    expect(await codeOfAsync(() => publishPool('default', 'none', {}))).toBe('FF10109');
  });

  it('needs a free network name and a published interface', async () => {
    const { publishPool, database } = await aTokenScene([aPool(1), aPool(2, { ...local, interface: uuid(50) })]);
    await database.transaction((unit) => unit.insert('interfaces', [anInterface()]));
    expect(await codeOfAsync(() => publishPool('default', 'pool-2', {}))).toBe('FF10451');
    await database.transaction((unit) => unit.update('interfaces', { namespace: 'default' }, { published: true }));
    expect(await codeOfAsync(() => publishPool('default', 'pool-2', { networkName: 'pool-1' }))).toBe('FF10448');
    expect(await codeOfAsync(() => publishPool('default', 'pool-2', { networkName: 'my pool' }))).toBe('FF00140');
    expect(await codeOfAsync(() => publishPool('default', 'pool-2', {}))).toBeUndefined();
  });
});

describe('the deletion of a pool', () => {
  it('removes a pool that is not published', async () => {
    const { deletePool, database } = await aTokenScene([aPool(1, { published: false, message: null })]);
    await deletePool('default', 'pool-1');
    expect(await rowsOf(database, 'pools')).toEqual([]);
  });

  it('ends the wait of open operations for this pool to be read again', async () => {
    const local = { published: false, message: null };
    const { deletePool, database } = await aTokenScene([aPool(1, local), aPool(2, local)]);
    const operationOf = (pool: number) =>
      newOperation({
        id: uuid(10 + pool),
        type: 'token_transfer',
        lane: callLane(keyOf(1)),
        created: '2026-01-15T10:00:00.000Z',
        subject: { namespace: 'default', tx: uuid(20 + pool), batch: '', batchHash: '', signer: '' },
        input: { kind: 'mint', pool: uuid(pool), after: [] },
        connector: 'erc1155',
      });
    await database.transaction((unit) => unit.insert('operations', [operationOf(1), operationOf(2)]));
    await deletePool('default', 'pool-1');
    const [first, second] = await rowsOf(database, 'operations');
    expect(first?.input).toEqual({ kind: 'mint', pool: uuid(1) });
    expect(second?.input).toEqual({ kind: 'mint', pool: uuid(2), after: [] });
  });

  it('is refused for a pool that is published or being published', async () => {
    const { deletePool, publishPool } = await aTokenScene([
      aPool(1),
      aPool(2, { published: false, networkName: null }),
    ]);
    expect(await codeOfAsync(() => deletePool('default', 'pool-1'))).toBe('FF10449');
    await publishPool('default', 'pool-2', {});
    expect(await codeOfAsync(() => deletePool('default', uuid(2)))).toBe('FF10449');
  });

  it('does not find an unknown pool', async () => {
    const { deletePool } = await aTokenScene([]);
    expect(await codeOfAsync(() => deletePool('default', uuid(9)))).toBe('FF10109');
  });
});

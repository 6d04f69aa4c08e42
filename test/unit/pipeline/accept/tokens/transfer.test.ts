import { describe, expect, it } from 'vitest';
import { createErc20Erc721 } from '../../../../../src/adapters/token-connector/erc20-erc721.js';
import type { TransferKind } from '../../../../../src/pipeline/accept/tokens/transfer.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import { compact } from '../../../../../src/wire/json/json-reader.js';
import type { TokenTransfer, TransferRequest } from '../../../../../src/wire/token.js';
import { anOperation } from '../../../../compliance/database/rows.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { keyOf } from '../../../../support/registry.js';
import { aPool, aTokenScene } from './a-token-scene.js';
import { deskKey } from '../messages/acceptance.js';

const one = compact('1');
const [alice, bob] = [keyOf(1), keyOf(2)];
const message = { data: [{ value: compact('"hello"') }] };
const group = { members: [{ identity: 'bob' }] };

describe('a mint, transfer or burn', () => {
  it('is answered as requested, with the id of the pool and of the transaction', async () => {
    const { acceptTransfer } = await aTokenScene();
    const { record } = await acceptTransfer('default', 'transfer', { amount: compact('"0x10"'), to: bob });
    expect(record).toEqual({
      type: 'transfer',
      localId: expect.any(String),
      pool: uuid(1),
      connector: 'erc1155',
      namespace: 'default',
      key: alice,
      from: alice,
      to: bob,
      amount: '16',
      tx: { type: 'token_transfer', id: expect.any(String) },
    });
  });

  it('is stored with its transaction and an event before it is answered', async () => {
    const { acceptTransfer, database } = await aTokenScene();
    const { record, operation } = await acceptTransfer('default', 'mint', { amount: one });
    expect(await rowsOf(database, 'transactions')).toMatchObject([{ id: record.tx?.id, type: 'token_transfer' }]);
    expect(await rowsOf(database, 'events')).toMatchObject([
      { type: 'transaction_submitted', reference: record.tx?.id },
    ]);
    expect(await rowsOf(database, 'operations')).toMatchObject([
      {
        id: operation,
        type: 'token_transfer',
        plugin: 'erc1155',
        lane: `calls:${alice}`,
        signer: alice,
        input: { localId: record.localId, kind: 'mint', amount: '1', from: alice, to: alice },
      },
    ]);
  });

  it.each<[TransferKind, TransferRequest, Partial<TokenTransfer> & { readonly from: string }]>([
    ['mint', { from: bob }, { from: alice, to: alice }],
    ['burn', { to: bob }, { from: alice }],
    ['mint', { to: 'bob' }, { from: alice, to: bob }],
    ['mint', { to: 'did:firefly:org/bob' }, { from: alice, to: bob }],
    ['transfer', { to: bob.toUpperCase().replace('0X', '0x') }, { from: alice, to: bob }],
    ['transfer', { to: bob.slice(2) }, { from: alice, to: bob }],
    ['mint', { key: deskKey.slice(2) }, { key: deskKey, from: deskKey, to: deskKey }],
    ['transfer', { from: 'bob', to: alice }, { from: bob, to: alice }],
    ['mint', { key: deskKey }, { key: deskKey, from: deskKey, to: deskKey }],
    ['burn', { pool: 'pool-1', from: 'bob' }, { from: bob }],
    ['mint', { pool: uuid(1).toUpperCase() }, { from: alice, pool: uuid(1) }],
  ])('%s of %j is answered with %j', async (kind, request, shown) => {
    const { acceptTransfer } = await aTokenScene();
    const { record } = await acceptTransfer('default', kind, { amount: one, ...request });
    expect(record).toMatchObject(shown);
    expect('to' in record).toBe(kind !== 'burn');
  });

  it('keeps the amount 2^256-1 exactly', async () => {
    const { acceptTransfer, database } = await aTokenScene();
    const amount = String(2n ** 256n - 1n);
    const { record } = await acceptTransfer('default', 'mint', { amount: compact(amount) });
    expect(record.amount).toBe(amount);
    expect((await rowsOf(database, 'operations'))[0]?.input['amount']).toBe(amount);
  });

  it.each<[string, TransferKind, TransferRequest]>([
    ['FF00112', 'mint', {}],
    ['FF00104', 'mint', { amount: compact('1.5') }],
    ['PY1401', 'mint', { amount: compact('0') }],
    ['FF00112', 'transfer', { amount: one }],
    ['FF10280', 'transfer', { amount: one, to: 'alice' }],
    ['FF10141', 'transfer', { amount: one, to: '0x12' }],
    ['FF10277', 'transfer', { amount: one, to: 'nobody' }],
    ['FF10277', 'burn', { amount: one, from: 'nobody' }],
    ['FF10206', 'mint', { amount: one, key: bob }],
    ['FF10109', 'mint', { amount: one, pool: 'none' }],
    ['PY1402', 'burn', { amount: one, tokenIndex: compact('1') }],
    ['PY1011', 'mint', { amount: one, uri: 'https://a' }],
    ['PY1011', 'mint', { amount: one, config: compact('"x"') }],
    ['FF00135', 'mint', { amount: one, idempotencyKey: 'x'.repeat(257) }],
    ['FF10287', 'mint', { amount: one, message: { ...message, header: { type: 'definition' } } }],
    ['FF10287', 'mint', { amount: one, message: { ...message, header: { type: 'approval_broadcast' } } }],
    ['FF00130', 'mint', { amount: one, message: { ...message, group, header: { txtype: 'none' } } }],
    ['PY1103', 'mint', { amount: one, message: { ...message, group, header: { type: 'broadcast' } } }],
    ['FF00115', 'mint', { amount: one, message: { ...message, header: { type: 'transfer_private' } } }],
    ['PY1101', 'mint', { amount: one, message: {} }],
  ])('is refused with %s for %s of %j, and stores nothing', async (code, kind, request) => {
    const { acceptTransfer, counts } = await aTokenScene();
    expect(await codeOfAsync(() => acceptTransfer('default', kind, request))).toBe(code);
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
  });

  it('is refused without a pool if there are several, which the error names, or none', async () => {
    const several = await aTokenScene([aPool(1), aPool(2)]);
    await expect(several.acceptTransfer('default', 'mint', { amount: one })).rejects.toThrow(
      'FF10292: The field pool is required, since there are several: pool-1, pool-2.',
    );
    const none = await aTokenScene([]);
    expect(await codeOfAsync(() => none.acceptTransfer('default', 'mint', { amount: one }))).toBe('FF00112');
  });

  it('does not require a choice between a pool and others that were refused or not created', async () => {
    const refused = aPool(2, { state: 'refused', active: false });
    const failed = aPool(3, { state: 'creating', active: false, locator: null });
    const scene = await aTokenScene([aPool(1), refused, failed]);
    const mint = () => scene.acceptTransfer('default', 'mint', { amount: one });
    const attempt = { tx: failed.txid ?? '', type: 'token_create_pool' } as const;
    const operations = [
      anOperation({ ...attempt, id: uuid(20), status: 'Failed', retry: uuid(21) }),
      anOperation({ ...attempt, id: uuid(21), status: 'Pending' }),
    ];
    await scene.database.transaction((unit) => unit.insert('operations', operations));
    await expect(mint()).rejects.toThrow('pool-1, pool-3.');
    await scene.database.transaction((unit) =>
      unit.update('operations', { namespace: 'default', id: uuid(21) }, { status: 'Failed' }),
    );
    expect(await mint()).toMatchObject({ record: { pool: aPool(1).id } });
    const refusedOnly = await aTokenScene([refused, aPool(4, { state: 'refused', active: false })]);
    await expect(refusedOnly.acceptTransfer('default', 'mint', { amount: one })).rejects.toThrow('pool-2, pool-4.');
  });

  it('is refused in an inactive pool, in a pool without its connector, and in the system namespace', async () => {
    const inactive = await aTokenScene([aPool(1, { active: false, state: 'known' })]);
    expect(await codeOfAsync(() => inactive.acceptTransfer('default', 'mint', { amount: one }))).toBe('FF10293');
    const other = await aTokenScene([aPool(1, { connector: 'erc20_erc721' })]);
    expect(await codeOfAsync(() => other.acceptTransfer('default', 'mint', { amount: one }))).toBe('FF10272');
    const { acceptTransfer } = await aTokenScene();
    expect(await codeOfAsync(() => acceptTransfer('svc_system', 'mint', { amount: one }))).toBe('FF10415');
  });

  it('is accepted once for an idempotency key', async () => {
    const { acceptTransfer, counts } = await aTokenScene();
    const mint = () => acceptTransfer('default', 'mint', { amount: one, idempotencyKey: 'k', message });
    const codes = await Promise.all(Array.from({ length: 4 }, () => codeOfAsync(mint)));
    expect(codes.sort()).toEqual(['FF10431', 'FF10431', 'FF10431', undefined].sort());
    expect(await counts()).toEqual([1, 1, 1, 1, 1]);
  });
});

it('a repeat with the same idempotency key is refused as used, also after another pool was added', async () => {
  const { acceptTransfer, database } = await aTokenScene();
  const mint = () => acceptTransfer('default', 'mint', { amount: one, idempotencyKey: 'k' });
  await mint();
  await database.transaction((unit) => unit.insert('pools', [aPool(2)]));
  expect(await codeOfAsync(mint)).toBe('FF10431');
});

describe('tokens of a non-fungible pool', () => {
  const pools = [aPool(1, { type: 'nonfungible' })];

  it.each<[string | undefined, TransferKind, TransferRequest]>([
    [undefined, 'mint', { amount: compact('250') }],
    [undefined, 'mint', { amount: one, uri: 'https://example.org/1' }],
    [undefined, 'transfer', { amount: one, to: bob, tokenIndex: compact('1') }],
    [undefined, 'burn', { amount: one, tokenIndex: compact('"1"') }],
    ['PY1402', 'mint', { amount: compact('251') }],
    ['PY1402', 'mint', { amount: one, tokenIndex: compact('1') }],
    ['PY1402', 'transfer', { amount: one, to: bob }],
    ['PY1402', 'burn', { amount: compact('2'), tokenIndex: compact('1') }],
  ])('give the code %s for %s of %j', async (code, kind, request) => {
    const { acceptTransfer } = await aTokenScene(pools);
    expect(await codeOfAsync(() => acceptTransfer('default', kind, request))).toBe(code);
  });
});

it('a mint has an index only where the method that it calls takes one', async () => {
  const inputs = [{ type: 'address', name: 'to' }];
  const numbered = [...inputs, { type: 'uint256', name: 'tokenId' }];
  const pools = [inputs, numbered].map((each, index) => {
    const mint = [{ type: 'function', name: 'mint', stateMutability: 'nonpayable', inputs: each, outputs: [] }];
    const locator = `address=${bob}&type=nonfungible&schema=ERC721NoData&block=${index}`;
    const place = { connector: 'erc20_erc721', type: 'nonfungible', locator, chainKey: locator } as const;
    return aPool(index, { ...place, methods: textOf({ mint }) });
  });
  const { acceptTransfer } = await aTokenScene(pools, [createErc20Erc721({ address: bob })]);
  const mint = { amount: one, tokenIndex: compact('7') };
  const { record } = await acceptTransfer('default', 'mint', { ...mint, pool: 'pool-1' });
  expect(record).toMatchObject({ tokenIndex: '7' });
  expect(await codeOfAsync(() => acceptTransfer('default', 'mint', { amount: one, pool: 'pool-1' }))).toBe('PY1011');
  expect(await codeOfAsync(() => acceptTransfer('default', 'mint', { ...mint, pool: 'pool-0' }))).toBe('PY1402');
});

describe('a message of an operation', () => {
  it('is staged with the operation; each refers to the other', async () => {
    const { acceptTransfer, database } = await aTokenScene();
    const { record } = await acceptTransfer('default', 'mint', { amount: one, message: { ...message, group } });
    const [row] = await rowsOf(database, 'messages');
    const parent = { parentType: 'token_transfer', parentId: record.tx?.id };
    expect(row).toMatchObject({ type: 'transfer_private', txtype: 'batch_pin', state: 'staged', ...parent });
    expect(record).toMatchObject({ message: row?.id, messageHash: row?.hash });
    const [operation] = await rowsOf(database, 'operations');
    const reference = { message: row?.id, messageHash: row?.hash };
    expect(operation?.input['data']).toBe(textOf({ tx: record.tx?.id, txtype: 'token_transfer', ...reference }));
  });

  it.each([
    [{ ...message }, 'broadcast'],
    [{ ...message, header: { type: 'transfer_broadcast' } }, 'transfer_broadcast'],
    [{ ...message, group }, 'transfer_private'],
    [{ ...message, group, header: { type: 'private' } }, 'private'],
  ])('as %j has the type %s', async (request, type) => {
    const { acceptTransfer, database } = await aTokenScene();
    await acceptTransfer('default', 'mint', { amount: one, message: request });
    expect(await rowsOf(database, 'messages')).toMatchObject([{ type, state: 'staged' }]);
  });

  it('is refused in a pool that is not published', async () => {
    const { acceptTransfer } = await aTokenScene([aPool(1, { published: false })]);
    expect(await codeOfAsync(() => acceptTransfer('default', 'mint', { amount: one, message }))).toBe('PY1403');
  });
});

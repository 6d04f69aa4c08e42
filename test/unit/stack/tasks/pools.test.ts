import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { readPoolRecord } from '../../../../src/stack/tasks/pool-record.js';
import { ensurePools } from '../../../../src/stack/tasks/pools.js';
import { type Came, type PlainNode, type Reply, startPlainNode } from '../../cli/plain-node.js';

const [first, second] = ['1e7c5a93-6b2d-4f08-8c4e-0a9b7d3f5c11', '2e7c5a93-6b2d-4f08-8c4e-0a9b7d3f5c11'];
const used = (transaction: string) => ({
  status: 409,
  body: { error: `FF10431: used by transaction ${transaction}.` },
});

let node: PlainNode | undefined;
afterEach(async () => {
  await node?.stop();
});

/** A balance of more than one token is several mints. When one fails, the others end with the process of the task. */
async function ensure(answer: (came: Came) => Reply | undefined, recordFile?: string, amount = '2'): Promise<unknown> {
  node = await startPlainNode(answer);
  const party = { name: 'alice', organization: 'Alice.Inc', url: node.url };
  const balances = [{ party: 'alice', amount }];
  const pool = { name: 'deeds', type: 'nonfungible', owner: 'alice', connector: 'erc20_erc721', balances };
  return ensurePools(JSON.stringify({ namespace: 'default', parties: [party], pools: [pool], recordFile }));
}

function aRecordFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'pools.json');
}

function posts(): unknown[] {
  const came = node?.came.filter(({ method }) => method === 'POST') ?? [];
  return came.map(({ path, body }) => [path, JSON.parse(body.toString('utf8'))]);
}

it('creates a missing pool, mints the balances, and waits for the transfers', async () => {
  let isThere = false;
  const done = await ensure(({ method, path }) => {
    if (method === 'POST') {
      isThere = true;
      return { status: 202, body: { tx: { id: first } } };
    }
    const pool = { type: 'nonfungible', connector: 'erc20_erc721', active: true, published: true };
    if (path === 'tokens/pools/deeds') return isThere ? { body: pool } : undefined;
    return path === 'tokens/transfers' ? { body: [{ protocolId: '1/0/0' }] } : undefined;
  });
  expect(done).toMatchObject({ pools: ['deeds'] });
  const mint = { pool: 'deeds', amount: '1', to: 'Alice.Inc' };
  expect(posts()).toEqual([
    ['tokens/pools', expect.objectContaining({ name: 'deeds', idempotencyKey: 'stack.yaml: pool deeds' })],
    ['tokens/mint', { ...mint, idempotencyKey: 'stack.yaml: deeds for alice 1' }],
    ['tokens/mint', { ...mint, idempotencyKey: 'stack.yaml: deeds for alice 2' }],
  ]);
});

it('repeats requests with the same keys, and waits for the first transaction', async () => {
  await ensure(({ method, path, query }) => {
    if (method === 'POST') return used(second);
    const pool = { type: 'nonfungible', connector: 'erc20_erc721', active: true, published: true };
    if (path === 'tokens/pools/deeds') return { body: pool };
    const isFirst = query.get('tx.id') === second || query.has('protocolid');
    return path === 'tokens/transfers' && isFirst ? { body: [{ protocolId: '1/0/0' }] } : undefined;
  });
  expect(posts()).toHaveLength(2);
});

it('fails with the reason if the chain refuses, or if the pool is of another type', async () => {
  const failed = ensure(({ method, path }) => {
    if (method === 'POST') return { status: 202, body: { tx: { id: first } } };
    if (path.endsWith('/operations')) return { body: [{ status: 'Failed', error: 'NotCreator' }] };
    if (path === 'tokens/transfers') return { body: [] };
    return { body: { type: 'nonfungible', connector: 'erc20_erc721', active: true, published: true } };
  });
  await expect(failed).rejects.toThrow('NotCreator');
  await node?.stop();
  const other = ensure(() => ({ body: { type: 'fungible', connector: 'erc1155', active: true, published: true } }));
  await expect(other).rejects.toThrow('There is a pool deeds already, and it is fungible.');
});

it.each([
  ['of another type', { type: 'fungible' }, 'it is fungible'],
  ['of another connector', { connector: 'erc1155' }, 'its connector is erc1155'],
  ['that is not published', { published: false }, 'it is not published'],
])('fails at once for an existing pool %s, and records nothing', async (_, other, reason) => {
  const recordFile = aRecordFile();
  const pool = { type: 'nonfungible', connector: 'erc20_erc721', active: true, published: true };
  await expect(ensure(() => ({ body: { ...pool, ...other } }), recordFile)).rejects.toThrow(reason);
  expect(posts()).toEqual([]);
  expect(await readPoolRecord(recordFile)).toBeUndefined();
});

it('waits for a pool that its party is publishing', async () => {
  let reads = 0;
  await ensure(({ method, path }) => {
    if (method === 'POST') return { status: 202, body: { tx: { id: first } } };
    if (path === 'tokens/transfers') return { body: [{ protocolId: '1/0/0' }] };
    if (path.endsWith('/operations')) return { body: [] };
    reads += 1;
    const pool = { type: 'nonfungible', connector: 'erc20_erc721', active: true, message: first };
    return { body: { ...pool, published: reads > 3 } };
  });
  expect(reads).toBeGreaterThan(3);
});

it('records created pools and minted balances, and not refused ones', async () => {
  const recordFile = aRecordFile();
  const answer =
    (mint: Reply, operations: readonly unknown[] = []) =>
    ({ method, path }: Came): Reply => {
      if (method === 'POST') return mint;
      if (path.endsWith('/operations')) return { body: operations };
      if (path === 'tokens/transfers') return { body: operations.length > 0 ? [] : [{ protocolId: '1/0/0' }] };
      return { body: { type: 'nonfungible', connector: 'erc20_erc721', active: true, published: true } };
    };
  const made = { type: 'nonfungible', owner: 'alice', connector: 'erc20_erc721', symbol: null };
  const without = { deeds: { ...made, balances: [] } };
  await expect(ensure(answer({ status: 400, body: { error: 'PY1401' } }), recordFile, '1')).rejects.toThrow('PY1401');
  expect(await readPoolRecord(recordFile)).toEqual(without);
  await node?.stop();
  const accepted = { status: 202, body: { tx: { id: first } } };
  const failed = [{ status: 'Failed', error: 'NotCreator' }];
  await expect(ensure(answer(accepted, failed), recordFile, '1')).rejects.toThrow('NotCreator');
  expect(await readPoolRecord(recordFile)).toEqual(without);
  await node?.stop();
  await ensure(answer(accepted), recordFile, '1');
  const all = { deeds: { ...made, balances: [{ party: 'alice', amount: '1' }] } };
  expect(await readPoolRecord(recordFile)).toEqual(all);
});

it('does not record a pool whose creation has failed', async () => {
  const recordFile = aRecordFile();
  let isThere = false;
  const failed = ensure(({ method, path }) => {
    if (method === 'POST') {
      isThere = true;
      return { status: 202, body: { tx: { id: first } } };
    }
    if (path.endsWith('/operations')) return { body: [{ status: 'Failed', error: 'NoFactory' }] };
    const pool = { type: 'nonfungible', connector: 'erc20_erc721', active: false, published: false };
    return isThere ? { body: { ...pool, tx: { id: first } } } : undefined;
  }, recordFile);
  await expect(failed).rejects.toThrow('NoFactory');
  expect(await readPoolRecord(recordFile)).toEqual({});
});

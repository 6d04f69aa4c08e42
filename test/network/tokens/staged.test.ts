import { describe, expect, it } from 'vitest';
import { messageProgress } from '../../../src/pipeline/progress.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import type { TransferRequest } from '../../../src/wire/token.js';
import { codeOfAsync } from '../../support/codes.js';
import { blobAt, bytesOf, itemAt, partiesOf, sha256, stateAt, upload } from '../../support/party-blobs.js';
import { rowsOf } from '../../support/pipelines-check.js';
import { type Party, type Pipelines, usePipelines } from '../../support/pipelines.js';

const start = usePipelines();

/** Alice, bob and carol, who all follow a pool of alice. */
async function aNetworkWithCoins() {
  const network = await start();
  const parties = partiesOf(network);
  await parties.alice.pipeline().acceptPool('default', { name: 'coins', type: 'fungible' }, true);
  await network.settle();
  await network.pass(1_000);
  return { network, ...parties };
}

const mint = async (party: Party, request: Partial<TransferRequest> = {}) =>
  (await party.pipeline().acceptTransfer('default', 'mint', { amount: compact('5'), ...request })).record;

/** Expects that every party has exactly these transfers. */
async function expectTransfers(network: Pipelines, localId: string, protocolIds: number): Promise<void> {
  const all = await Promise.all(network.parties.map((party) => rowsOf(party.database(), 'transfers')));
  const ids = all.map((rows) => rows.map(({ protocolId }) => protocolId));
  expect(new Set(ids.map(String)).size).toBe(1);
  expect(ids[0]).toHaveLength(protocolIds);
  expect(all[0]?.map((row) => row.localId)).toContain(localId);
}

describe('a file of a message that waits for an operation', () => {
  it('is not sent until the operation has succeeded, and cannot be deleted before', async () => {
    const { network, alice, bob } = await aNetworkWithCoins();
    const bytes = bytesOf(60_000);
    const item = await upload(alice, bytes);
    network.stopChain();
    const record = await mint(alice, { message: { data: [{ id: item.id }] } });
    await network.pass(2_000);
    expect(await stateAt(alice, record.message ?? '')).toBe('staged');
    expect((await itemAt(alice, item.id))?.blobPublic).toBeNull();
    const [row] = (await rowsOf(alice.database(), 'messages')).filter(({ id }) => id === record.message);
    const progress = row === undefined ? undefined : await messageProgress(alice.database(), row);
    const detail = expect.stringContaining('The operation token_transfer is');
    expect(progress).toMatchObject({ state: 'staged', missing: 'sealed', waits: [{ on: 'operation', detail }] });
    expect(await codeOfAsync(() => alice.pipeline().removeData('default', item.id))).toBe('PY1106');
    network.startChain();
    await network.pass(12_000);
    expect(await stateAt(bob, record.message ?? '')).toBe('confirmed');
    expect((await blobAt(bob, sha256(bytes)))?.equals(bytes)).toBe(true);
  });

  it('is never sent if the operation fails, and can be deleted then', async () => {
    const { network, alice, bob } = await aNetworkWithCoins();
    network.expectFailures('bob');
    const item = await upload(bob, bytesOf(60_000));
    const record = await mint(bob, { message: { data: [{ id: item.id }] } });
    await network.pass(2_000);
    expect(await stateAt(bob, record.message ?? '')).toBe('cancelled');
    expect((await itemAt(bob, item.id))?.blobPublic).toBeNull();
    await bob.pipeline().removeData('default', item.id);
    expect(await itemAt(bob, item.id)).toBeUndefined();
    expect(await stateAt(alice, record.message ?? '')).toBeUndefined();
  });
});

describe('a pool for all parties whose definition is in a batch that is cancelled', () => {
  it('is gone, so that its name is free again', async () => {
    const network = await start();
    // Its failed pins stay.
    network.expectWaiting('alice', []);
    const { alice } = partiesOf(network);
    const sealedOf = async () => (await rowsOf(alice.database(), 'batches')).find(({ state }) => state === 'sealed');
    const revertNext = async (act: () => Promise<unknown>) => {
      network.ledger.revertCalls(1);
      await act();
      await network.pass(2_000);
    };
    await revertNext(() => alice.pipeline().acceptMessage('default', { data: [{ value: compact('"stuck"') }] }));
    await alice.pipeline().acceptPool('default', { name: 'coins', type: 'fungible' }, true);
    await network.pass(2_000);
    const cancelSealed = async () => alice.pipeline().cancelBatch('default', (await sealedOf())?.id ?? '');
    await revertNext(cancelSealed);
    expect(await rowsOf(alice.database(), 'pools')).toMatchObject([{ state: 'known', active: false }]);
    const ofDefinition = await sealedOf();
    await alice.pipeline().cancelBatch('svc_system', ofDefinition?.id ?? '');
    expect(await rowsOf(alice.database(), 'pools')).toEqual([]);
    await alice.pipeline().acceptPool('default', { name: 'coins', type: 'fungible' }, true);
    await network.pass(5_000);
    for (const party of network.parties) {
      expect(await rowsOf(party.database(), 'pools')).toMatchObject([{ name: 'coins', active: true }]);
    }
  });
});

describe.each([
  'tx.after-raw-stored',
  'tx.after-receipt',
  'index.after-read',
  'index.after-commit',
  'batch.after-seal',
])('a node that is killed at %s', (failpoint) => {
  it('mints once, and sends the message once', async () => {
    const { network, alice, bob, carol } = await aNetworkWithCoins();
    alice.dieAt(failpoint);
    const group = { members: [{ identity: 'bob' }] };
    const message = { group, data: [{ value: compact('"yours"') }] };
    const record = await mint(alice, { to: 'bob', message });
    await network.pass(3_000);
    expect(alice.isAlive()).toBe(false);
    await alice.restart();
    await network.pass(12_000);
    await expectTransfers(network, record.localId, 1);
    for (const party of [alice, bob]) expect(await stateAt(party, record.message ?? '')).toBe('confirmed');
    expect(await stateAt(carol, record.message ?? '')).toBeUndefined();
    const operations = await rowsOf(alice.database(), 'operations');
    expect(operations.filter(({ status }) => status !== 'Succeeded')).toEqual([]);
  });
});

import { Interface, toUtf8Bytes } from 'ethers';
import { describe, expect, it } from 'vitest';
import { tokenPoolsAddress } from '../../../src/adapters/blockchain/memory/chain.js';
import type { SealedBatch } from '../../../src/domain/messages/batch.js';
import type { UnsealedHeader } from '../../../src/domain/messages/message.js';
import { tokenPoolsAbi } from '../../../src/domain/tokens/contracts.js';
import { operationData } from '../../../src/domain/tokens/request.js';
import { settled, stateOf } from '../../support/datatypes.js';
import { uuid } from '../../support/fixtures.js';
import { forgeItem, mallory, pin, registerMallory } from '../../support/mallory.js';
import { about, type Pipelines, usePipelines } from '../../support/pipelines.js';
import { decided, rowsOf } from '../../support/pipelines-check.js';
import { amountOf, attached, balancesAt, makePool } from '../../support/tokens.js';

const startPipelines = usePipelines();
const contract = new Interface(tokenPoolsAbi);

/** Calls the contract of pools as mallory, bypassing all nodes; returns the block. */
function call({ ledger }: Pipelines, name: string, values: readonly unknown[]): number {
  const data = contract.encodeFunctionData(name, values);
  const receipt = ledger.call(mallory.key, {
    type: 'contract',
    to: tokenPoolsAddress,
    data,
    gas: 1_000_000,
    value: '0',
  });
  expect(receipt.status).toBe('success');
  return receipt.block;
}

/** A definition of a pool by mallory, with this counter, created in a block. */
function forgePool(
  number: number,
  { counter, block, ...changes }: { counter: number; block: number } & Readonly<Record<string, unknown>>,
): SealedBatch {
  const startId = `0x${(BigInt(counter) << 128n).toString(16)}`;
  const record = {
    id: uuid(number + 4_000),
    type: 'fungible',
    namespace: 'default',
    name: `of-mallory-${number}`,
    standard: 'ERC1155',
    locator: `address=${tokenPoolsAddress}&type=fungible&startId=${startId}&endId=${startId}&block=${block}`,
    key: mallory.key,
    decimals: 0,
    connector: 'erc1155',
    tx: { type: 'token_pool', id: uuid(number + 5_000) },
    ...changes,
  };
  const header = { type: 'definition', namespace: 'svc_system', topics: ['svc_ns_default'] } as const;
  return forgeItem({
    number,
    header: { ...header, topics: [...header.topics], tag: 'svc_define_pool' },
    value: record,
  });
}

async function pools(network: Pipelines): Promise<(readonly string[])[]> {
  return Promise.all(
    network.parties.map(async (party) => (await rowsOf(party.database(), 'pools')).map(({ name }) => name).sort()),
  );
}

describe('a hostile definition of a pool', () => {
  it('is confirmed everywhere if it is correct', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    const block = call(network, 'create', [true, '0x']);
    await pin(network, forgePool(1, { counter: 1, block }));
    for (const party of await settled(network)) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'confirmed', code: undefined });
    }
    expect(await pools(network)).toEqual([['of-mallory-1'], ['of-mallory-1'], ['of-mallory-1']]);
  });

  it.each<[string, (block: number) => Readonly<Record<string, unknown>>, string]>([
    ['names another block', (block) => ({ block: block - 1 }), 'FF10409'],
    ['names a block that is not there yet', () => ({ block: 1_000_000 }), 'FF10409'],
    ['names a pool that nobody has created', () => ({ counter: 7 }), 'FF10409'],
    ['names another key than that which created it', () => ({ key: `0x${'9'.repeat(40)}` }), 'FF10409'],
    ['says another type than its locator', () => ({ type: 'nonfungible' }), 'FF10403'],
    ['has a locator of no connector', () => ({ locator: 'somewhere' }), 'FF10403'],
    ['names a connector that nobody knows', () => ({ connector: 'erc9999' }), 'FF10403'],
    ['is for another namespace than its topic', () => ({ namespace: 'other' }), 'FF10400'],
  ])('that %s is rejected at all, leaves nothing, and blocks nothing', async (_, changesOf, code) => {
    const network = await startPipelines();
    await registerMallory(network);
    const block = call(network, 'create', [true, '0x']);
    await pin(network, forgePool(1, { counter: 1, block, ...changesOf(block) }));
    for (const party of await settled(network)) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'rejected', code });
    }
    expect(await pools(network)).toEqual([[], [], []]);
    await makePool(network, network.party('alice'));
    expect(await pools(network)).toEqual([['coins'], ['coins'], ['coins']]);
  });

  it("of another member's pool is rejected, and that of its creator is confirmed", async () => {
    const network = await startPipelines();
    await registerMallory(network);
    const alice = network.party('alice');
    await makePool(network, alice, { publish: false });
    const [row] = await rowsOf(alice.database(), 'pools');
    const block = Number(/block=(\d+)/.exec(row?.locator ?? '')?.[1]);
    await pin(network, forgePool(1, { counter: 1, block, name: 'stolen' }));
    await network.settle();
    await alice.pipeline().publishPool('default', 'coins', {});
    for (const party of await settled(network)) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'rejected', code: 'FF10409' });
    }
    expect(await pools(network)).toEqual([['coins'], ['coins'], ['coins']]);
  });

  it('with the id or the place of a pool that was defined before is rejected', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    const { id } = await makePool(network, network.party('alice'));
    const block = call(network, 'create', [true, '0x']);
    await pin(network, forgePool(1, { counter: 2, block, id }));
    await pin(network, forgePool(2, { counter: 2, block, name: 'coins' }));
    await pin(network, forgePool(3, { counter: 2, block }));
    await pin(network, forgePool(4, { counter: 2, block }));
    for (const party of await settled(network)) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'rejected', code: 'FF10404' });
      expect(await stateOf(party, uuid(2))).toEqual({ state: 'rejected', code: 'FF10407' });
      expect(await stateOf(party, uuid(3))).toEqual({ state: 'confirmed', code: undefined });
      expect(await stateOf(party, uuid(4))).toEqual({ state: 'rejected', code: 'FF10407' });
    }
  });

  it('with the id of a pool that its creator has not published leaves that pool if it is rejected', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    const alice = network.party('alice');
    const { id = '' } = await makePool(network, alice, { publish: false });
    await alice.operate('mint', amountOf(3));
    await pin(network, forgePool(1, { counter: 7, block: 1, id }));
    await settled(network);
    expect(await pools(network)).toEqual([['coins'], [], []]);
    expect(await balancesAt(alice, id)).toEqual({ [`${alice.key}/`]: '3' });
  });

  it('with the id of a pool that its creator has not published takes that id, everywhere', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    const alice = network.party('alice');
    const { id } = await makePool(network, alice, { publish: false });
    await alice.operate('mint', amountOf(3));
    const block = call(network, 'create', [true, '0x']);
    await pin(network, forgePool(1, { counter: 2, block, id }));
    await network.settle();
    for (const party of network.parties) {
      expect(await rowsOf(party.database(), 'pools')).toMatchObject([{ id, name: 'of-mallory-1', active: true }]);
      expect(await rowsOf(party.database(), 'balances')).toEqual([]);
    }
  });
});

it("with another's transaction of any namespace adds nothing to that transaction", async () => {
  const network = await startPipelines({ organizations: ['alice', 'bob'] });
  await registerMallory(network);
  const alice = network.party('alice');
  await makePool(network, alice);
  const inSystem = (await rowsOf(alice.database(), 'transactions')).find((row) => row.namespace === 'svc_system');
  const block = call(network, 'create', [true, '0x']);
  await pin(network, forgePool(1, { counter: 2, block, tx: { type: 'token_pool', id: inSystem?.id } }));
  for (const party of await settled(network)) {
    expect(await stateOf(party, uuid(1))).toEqual({ state: 'confirmed', code: undefined });
    const operations = await rowsOf(party.database(), 'operations');
    const named = operations.filter(({ tx, type }) => tx === inSystem?.id && type === 'token_activate_pool');
    expect(named).toEqual([]);
  }
});

describe('a message that says it belongs to a transfer', () => {
  const header = { topics: ['tokens'], txparent: { type: 'token_transfer', id: uuid(77) } } as const;
  const forgeMessage = (number: number, more: Partial<UnsealedHeader> = {}) =>
    forgeItem({ number, header: { ...header, topics: [...header.topics], ...more }, value: { number } });

  it('is rejected everywhere if there is none, and blocks nothing', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    await makePool(network, network.party('alice'));
    await pin(network, forgeMessage(1));
    await network.settle();
    const after = await network.party('bob').broadcast(about(['tokens'], 'after'));
    for (const party of await settled(network)) {
      expect(await stateOf(party, uuid(1))).toEqual({ state: 'rejected', code: 'PY1901' });
      expect(await decided(party)).toContain(after.header.id);
      expect(await rowsOf(party.database(), 'waits')).toEqual([]);
    }
  });

  it('is rejected if the transfer comes later, has another hash, or is in an undefined pool', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    await makePool(network, network.party('alice'));
    call(network, 'create', [true, '0x']);
    const transfer = (message: { readonly id: string; readonly hash: string }, poolId = 2n << 128n) => {
      const data = toUtf8Bytes(operationData({ id: uuid(77), type: 'token_transfer' }, message));
      call(network, 'mintFungible', [poolId, [mallory.key], [1n], data]);
    };
    const hashOf = (number: number) => hashOfMessage(forgeMessage(number));
    // The second pool of the contract is not defined.
    transfer({ id: uuid(1), hash: hashOf(1) });
    await pin(network, forgeMessage(1));
    await network.settle();
    await pin(network, forgePool(2, { counter: 2, block: lastCreation(network) }));
    await network.settle();
    transfer({ id: uuid(3), hash: 'f'.repeat(64) });
    await pin(network, forgeMessage(3));
    await pin(network, forgeMessage(4));
    transfer({ id: uuid(4), hash: hashOf(4) });
    transfer({ id: uuid(5), hash: hashOf(5) });
    await pin(network, forgeMessage(5));
    for (const party of await settled(network)) {
      for (const number of [1, 3, 4]) {
        expect(await stateOf(party, uuid(number)), `${party.name} ${number}`).toEqual({
          state: 'rejected',
          code: 'PY1901',
        });
      }
      expect(await stateOf(party, uuid(5))).toEqual({ state: 'confirmed', code: undefined });
    }
  });
});

describe('the data of a transfer that names the message of another', () => {
  it('releases nothing, completes nothing, and is not taken for the operation', async () => {
    const network = await startPipelines();
    await registerMallory(network);
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const { id } = await makePool(network, alice);
    await alice.operate('mint', amountOf(10, { to: mallory.key }));
    await network.settle();
    network.stopChain();
    const { message, record } = await alice.operate('mint', amountOf(1, attached('real')));
    const data = operationData(
      { id: record.tx?.id ?? '', type: 'token_transfer' },
      { id: message?.header.id ?? '', hash: message?.hash ?? '' },
    );
    call(network, 'safeTransferFrom', [mallory.key, bob.key, 1n << 128n, 1n, toUtf8Bytes(data)]);
    network.startChain();
    await network.pass(12_000);
    for (const party of network.parties) {
      expect(await balancesAt(party, id)).toEqual({
        [`${alice.key}/`]: '1',
        [`${bob.key}/`]: '1',
        [`${mallory.key}/`]: '9',
      });
      expect(await stateOf(party, message?.header.id ?? '')).toEqual({ state: 'confirmed', code: undefined });
    }
    const transfers = await rowsOf(alice.database(), 'transfers');
    expect(
      transfers.map(({ type, localId, txid }) => [type, localId === record.localId, txid === record.tx?.id]),
    ).toEqual([
      ['mint', false, false],
      ['transfer', false, false],
      ['mint', true, true],
    ]);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['another object', '{"tx":{}}'],
    ['control characters', '\u0000\uffff'],
    ['without end', `{"tx":"${'x'.repeat(3_000)}"}`],
  ])('that is %s is no message', async (_, text) => {
    const network = await startPipelines({ organizations: ['alice', 'bob'] });
    await registerMallory(network);
    await makePool(network, network.party('alice'));
    await network.party('alice').operate('mint', amountOf(10, { to: mallory.key }));
    await network.settle();
    call(network, 'burn', [mallory.key, 1n << 128n, 4n, toUtf8Bytes(text)]);
    for (const party of await settled(network)) {
      const transfers = await rowsOf(party.database(), 'transfers');
      expect(transfers.at(-1)).toMatchObject({ type: 'burn', amount: '4', message: null, txid: null });
    }
  });
});

/** Returns the block in which the newest pool was created. */
function lastCreation({ ledger }: Pipelines): number {
  const topic = contract.getEvent('PoolCreated')?.topicHash;
  return (
    ledger
      .contractLogs()
      .filter(({ topics }) => topics[0] === topic)
      .at(-1)?.position.block ?? 0
  );
}

/** Returns the hash of the only message of a batch. */
function hashOfMessage({ payload }: SealedBatch): string {
  return /"hash":"([0-9a-f]{64})"/.exec(payload.slice(payload.indexOf('"messages"')))?.[1] ?? '';
}

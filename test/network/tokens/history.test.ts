import { Interface } from 'ethers';
import { describe, expect, it } from 'vitest';
import { tokenPoolsAddress } from '../../../src/adapters/blockchain/memory/chain.js';
import { tokenPoolsAbi } from '../../../src/domain/tokens/contracts.js';
import { textOf } from '../../../src/wire/json/json.js';
import type { ApprovalRequest } from '../../../src/wire/token.js';
import { stateOf } from '../../support/datatypes.js';
import { usePipelines } from '../../support/pipelines.js';
import { decided, rowsOf } from '../../support/pipelines-check.js';
import { amountOf, attached, balanceOnChain, balancesAt, makePool } from '../../support/tokens.js';

const startPipelines = usePipelines();
const contract = new Interface(tokenPoolsAbi);

describe('a token pool', () => {
  it('is known to all parties by one id and locator, and followed by all', async () => {
    const network = await startPipelines();
    const pool = await makePool(network, network.party('alice'));
    const rows = await Promise.all(network.parties.map((party) => rowsOf(party.database(), 'pools')));
    const [first] = rows.flat();
    for (const row of rows.flat()) {
      expect(row).toMatchObject({
        id: pool.id,
        name: 'coins',
        active: true,
        state: 'followed',
        locator: first?.locator,
      });
      expect(row.pin).not.toBeNull();
    }
    expect(rows.map(({ length }) => length)).toEqual([1, 1, 1]);
    for (const party of network.parties) {
      const events = await rowsOf(party.database(), 'events');
      expect(events.filter(({ type }) => type === 'token_pool_confirmed')).toMatchObject([
        { reference: pool.id, topic: pool.id, namespace: 'default', tx: pool.tx?.id, txtype: 'token_pool' },
      ]);
    }
  });

  it('exists only at its creator until it is published, and is complete everywhere then', async () => {
    const network = await startPipelines();
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const { id } = await makePool(network, alice, { publish: false });
    await alice.operate('mint', amountOf(5));
    await network.settle();
    expect(await balancesAt(alice, id)).toEqual({ [`${alice.key}/`]: '5' });
    expect(await rowsOf(bob.database(), 'pools')).toEqual([]);
    await alice.pipeline().publishPool('default', 'coins', { networkName: 'public-coins' });
    await network.settle();
    await alice.operate('transfer', amountOf(2, { to: bob.key }));
    await network.settle();
    for (const party of network.parties) {
      expect(await balancesAt(party, id)).toEqual({ [`${alice.key}/`]: '3', [`${bob.key}/`]: '2' });
    }
    expect(await rowsOf(alice.database(), 'pools')).toMatchObject([
      { name: 'coins', networkName: 'public-coins', pin: expect.any(Number) },
    ]);
    expect(await rowsOf(bob.database(), 'pools')).toMatchObject([{ name: 'public-coins', published: true }]);
  });

  it('that arrives under the name of a local one is shown under another, and both work', async () => {
    const network = await startPipelines();
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const local = await makePool(network, bob, { publish: false });
    const arriving = await makePool(network, alice);
    const names = async () => (await rowsOf(bob.database(), 'pools')).map(({ id, name }) => [id, name]);
    expect(await names()).toEqual([
      [local.id, 'coins'],
      [arriving.id, 'coins-1'],
    ]);
    await bob.operate('mint', amountOf(1, { pool: 'coins' }));
    await alice.operate('mint', amountOf(2, { to: bob.key }));
    await network.settle();
    expect(await balancesAt(bob, local.id)).toEqual({ [`${bob.key}/`]: '1' });
    expect(await balancesAt(bob, arriving.id)).toEqual({ [`${bob.key}/`]: '2' });
  });

  it('has the approvals of its contract from before its creation, without their messages', async () => {
    const network = await startPipelines();
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const first = await makePool(network, alice);
    const approve = async (operator: string, more: Partial<ApprovalRequest> = {}) => {
      await alice.pipeline().acceptApproval('default', { operator, pool: 'coins', ...more });
      await network.settle();
    };
    await approve(bob.key, attached('trust'));
    await approve(network.party('carol').key);
    await approve(network.party('carol').key, { approved: false });
    const later = await makePool(network, bob, { name: 'later' });
    await approve(network.party('carol').key);
    for (const party of network.parties) {
      const rows = await rowsOf(party.database(), 'approvals');
      const inPool = (id: string) =>
        rows
          .filter(({ pool }) => pool === id)
          .map(({ operator, approved, active, txid }) => ({ operator, approved, active, txid }));
      expect(inPool(first.id).map(({ active }) => active)).toEqual([true, false, false, true]);
      expect(inPool(later.id)).toEqual(inPool(first.id));
      expect(rows.filter(({ message }) => message !== null).map(({ pool }) => pool)).toEqual([first.id]);
    }
  });

  it('that two parties define by one name belongs to the first on the chain, and the other is removed', async () => {
    const network = await startPipelines();
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const records = await Promise.all(
      [alice, bob].map((party) => party.pipeline().acceptPool('default', { name: 'coins', type: 'fungible' }, true)),
    );
    await network.settle();
    const pools = await Promise.all(network.parties.map((party) => rowsOf(party.database(), 'pools')));
    const [winner] = pools.flat();
    expect(records.map(({ record }) => record.id)).toContain(winner?.id);
    for (const rows of pools) expect(rows).toMatchObject([{ id: winner?.id, name: 'coins', active: true }]);
    const definitions = (await rowsOf(alice.database(), 'messages')).filter(({ type }) => type === 'definition');
    expect(definitions.map(({ state, rejectReason }) => [state, rejectReason?.slice(0, 7)]).sort()).toEqual([
      ['confirmed', undefined],
      ['rejected', 'FF10407'],
    ]);
    await makePool(network, bob, { name: 'coins-2' });
  });
});

describe('the history of a pool', () => {
  it('is complete, and the balances are equal, at a party that joins later', async () => {
    const network = await startPipelines({ organizations: ['alice', 'bob'] });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const coins = await makePool(network, alice);
    const deeds = await makePool(network, bob, { name: 'deeds', type: 'nonfungible' });
    await alice.operate('mint', amountOf(2n ** 255n, { pool: 'coins', ...attached('first') }));
    await bob.operate('mint', amountOf(3, { pool: 'deeds', to: alice.key }));
    await network.settle();
    await alice.operate('transfer', amountOf(7, { pool: 'coins', to: bob.key, ...attached('second', ['bob']) }));
    await alice.operate('transfer', amountOf(1, { pool: 'deeds', tokenIndex: textOf(2), to: bob.key }));
    await alice.operate('burn', amountOf(1, { pool: 'deeds', tokenIndex: textOf(3) }));
    await network.settle();
    const carol = await network.join('carol');
    await network.settle();
    for (const pool of [coins.id, deeds.id]) {
      expect(await balancesAt(carol, pool)).toEqual(await balancesAt(alice, pool));
      expect(await balancesAt(bob, pool)).toEqual(await balancesAt(alice, pool));
    }
    expect(await balancesAt(carol, deeds.id)).toEqual({
      [`${alice.key}/1`]: '1',
      [`${alice.key}/2`]: '0',
      [`${alice.key}/3`]: '0',
      [`${bob.key}/2`]: '1',
    });
    const seen = await rowsOf(carol.database(), 'transfers');
    const theirs = await rowsOf(alice.database(), 'transfers');
    const facts = ({ protocolId, messageHash, txid }: (typeof seen)[number]) => ({ protocolId, messageHash, txid });
    expect(seen.map(facts).sort(byPlace)).toEqual(theirs.map(facts).sort(byPlace));
    expect(await balanceOnChain(network, contract, [tokenPoolsAddress, alice.key, 1n << 128n])).toBe(
      String(2n ** 255n - 7n),
    );
  });

  it('is read again, and nothing twice, by a node that dies while it reads it', async () => {
    const network = await startPipelines({ organizations: ['alice', 'bob'] });
    const alice = network.party('alice');
    const { id } = await makePool(network, alice);
    for (let count = 0; count < 5; count++) await alice.operate('mint', amountOf(1));
    await network.settle();
    const carol = await network.join('carol');
    for (const failpoint of [
      'index.after-read',
      'index.after-commit',
      'confirm.mid-transaction',
      'confirm.after-commit',
    ]) {
      carol.dieAt(failpoint);
      await alice.operate('mint', amountOf(1));
      await network.settle();
      await carol.restart();
      await network.settle();
    }
    for (const party of network.parties) expect(await balancesAt(party, id)).toEqual({ [`${alice.key}/`]: '9' });
  });
});

function byPlace(a: { readonly protocolId: string }, b: { readonly protocolId: string }): number {
  return a.protocolId < b.protocolId ? -1 : 1;
}

describe('a transfer with a message', () => {
  it('precedes its message at every party, and is visible to all, its data only to members', async () => {
    const network = await startPipelines();
    const [alice, bob, carol] = [network.party('alice'), network.party('bob'), network.party('carol')];
    await makePool(network, alice);
    const { message } = await alice.operate('mint', amountOf(9, attached('for bob', ['bob'])));
    await network.settle();
    const id = message?.header.id ?? '';
    for (const party of [alice, bob]) {
      const types = (await rowsOf(party.database(), 'events')).map(({ type, reference }) => [type, reference]);
      const transfer = types.findIndex(([type]) => type === 'token_transfer_confirmed');
      const told = types.findIndex(([type, reference]) => type === 'message_confirmed' && reference === id);
      expect(transfer).toBeGreaterThanOrEqual(0);
      expect(told).toBeGreaterThan(transfer);
      expect(await stateOf(party, id)).toMatchObject({ state: 'confirmed' });
    }
    expect(await rowsOf(carol.database(), 'transfers')).toMatchObject([
      { message: id, messageHash: message?.hash, amount: '9' },
    ]);
    expect(await stateOf(carol, id)).toBeUndefined();
    expect((await rowsOf(carol.database(), 'data')).map(({ value }) => value)).not.toContain('"for bob"');
  });

  it('that the contract refuses cancels its message, and the topic is free', async () => {
    const network = await startPipelines();
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    await makePool(network, alice);
    network.expectFailures('bob');
    const { message, operation } = await bob.operate('mint', amountOf(9, { pool: 'coins', ...attached('not mine') }));
    await network.settle();
    expect(await stateOf(bob, message?.header.id ?? '')).toMatchObject({ state: 'cancelled' });
    const failed = (await rowsOf(bob.database(), 'operations')).find(({ id }) => id === operation);
    expect(failed).toMatchObject({ status: 'Failed' });
    expect(failed?.error).toContain('NotCreator');
    const after = await alice.operate('mint', amountOf(1, attached('mine')));
    await network.settle();
    for (const party of network.parties) expect(await decided(party)).toContain(after.message?.header.id);
  });
});

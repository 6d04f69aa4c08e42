import { describe, expect, it } from 'vitest';
import { assert } from '../../src/domain/invariant.js';
import type { OperationRow } from '../../src/ports/tables/tables.js';
import { stateAt } from '../support/party-blobs.js';
import { rowsOf } from '../support/pipelines-check.js';
import { about, type Party, type Pipelines, to, usePipelines } from '../support/pipelines.js';
import { rebuildAll, reorganise } from '../support/reorganised.js';
import { amountOf, attached, balancesAt, makePool } from '../support/tokens.js';

const start = usePipelines();
const parties = { organizations: ['alice', 'bob'] };

async function pinsOf({ database }: Party): Promise<readonly OperationRow[]> {
  return (await rowsOf(database(), 'operations')).filter(({ type }) => type === 'blockchain_pin_batch');
}

/** Cancels the last batch of a party, whose pin has failed. */
async function cancelLast(network: Pipelines, party: Party): Promise<void> {
  const pin = (await pinsOf(party)).at(-1);
  assert(pin?.status === 'Failed', 'the chain has reverted the pin');
  await party.pipeline().cancelBatch(pin.namespace, pin.batch);
  await network.settle();
}

/** Replaces the last blocks, and mines their calls again, with effect. */
async function mineAgain(network: Pipelines, blocks: number): Promise<void> {
  const calls = await reorganise(network, blocks);
  const chain = network.ledger.connect({ keys: [] });
  for (const raw of calls) await chain.submit(raw);
  await rebuildAll(network);
}

describe('a pin that the chain had reverted and mines again with effect', () => {
  it('takes back the cancellation of its batch, and its nonces', async () => {
    const network = await start(parties);
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    network.ledger.revertCalls(1);
    const first = await alice.send(to(['alice', 'bob'], ['deal'], 1));
    await network.settle();
    await cancelLast(network, alice);
    expect(await stateAt(alice, first.header.id)).toBe('cancelled');

    await mineAgain(network, 1);
    const second = await alice.send(to(['alice', 'bob'], ['deal'], 2));
    await network.settle();
    for (const message of [first, second]) {
      expect(await stateAt(alice, message.header.id)).toBe('confirmed');
      expect(await stateAt(bob, message.header.id)).toBe('confirmed');
    }
  });

  it('ends its operation, and not the one that retries it', async () => {
    const network = await start(parties);
    const alice = network.party('alice');
    network.ledger.revertCalls(1);
    const message = await alice.broadcast(about(['orders'], 1));
    await network.settle();
    const [failed] = await pinsOf(alice);
    await alice.pipeline().retryOperation('default', failed?.id ?? '');
    await network.settle();
    await mineAgain(network, 2);
    expect(await stateAt(alice, message.header.id)).toBe('confirmed');
    const [pin, retry] = await pinsOf(alice);
    expect([pin?.status, retry?.status]).toEqual(['Succeeded', 'Succeeded']);
    expect(pin?.output?.['transactionHash']).toBe(pin?.transactionHash);
    expect(retry?.output?.['transactionHash']).toBe(retry?.transactionHash);
  });
});

describe('a pin that had succeeded and is reverted when it is sent again after a reorganisation', () => {
  /** Sends two messages in two batches, and replaces both blocks so that the first pin is reverted. */
  async function overtaking(kind: 'broadcast' | 'private') {
    const network = await start(parties);
    const alice = network.party('alice');
    const send = async (value: number): Promise<string> => {
      const sent = await (kind === 'broadcast'
        ? alice.broadcast(about(['orders'], value))
        : alice.send(to(['alice', 'bob'], ['orders'], value)));
      await network.settle();
      return sent.header.id;
    };
    const ids = [await send(1), await send(2), await send(3)];
    network.expectFailures('alice');
    await reorganise(network, 3);
    network.ledger.revertCalls(1);
    await rebuildAll(network);
    for (const id of ids) expect(await stateAt(alice, id)).toBe('ready');
    const confirmedAt = async (party: Party): Promise<readonly string[]> => {
      const events = await rowsOf(party.database(), 'events');
      return events.filter(({ type }) => type === 'message_confirmed').map(({ reference }) => reference);
    };
    return { network, alice, ids, confirmedAt };
  }

  it.each(['broadcast', 'private'] as const)('holds back later %s batches until it is retried', async (kind) => {
    const { network, alice, ids, confirmedAt } = await overtaking(kind);
    const [failed] = await pinsOf(alice);
    await alice.pipeline().retryOperation('default', failed?.id ?? '');
    await network.pass(20_000);
    for (const party of network.parties) expect(await confirmedAt(party)).toEqual(ids);
    // Messages of a batch that gave way have not failed.
    const failures = (await rowsOf(alice.database(), 'events')).filter(({ type }) => type === 'message_op_failed');
    expect(failures.map(({ correlator }) => correlator)).toEqual(ids.slice(0, 1));
  });

  it('holds back later batches until its batch is cancelled', async () => {
    const { network, alice, ids, confirmedAt } = await overtaking('broadcast');
    const [failed] = await pinsOf(alice);
    await alice.pipeline().cancelBatch('default', failed?.batch ?? '');
    await network.pass(20_000);
    for (const party of network.parties) expect(await confirmedAt(party)).toEqual(ids.slice(1));
  });

  it('holds back later batches whose pins are retried first', async () => {
    const { network, alice, ids, confirmedAt } = await overtaking('private');
    for (const { id, status } of [...(await pinsOf(alice))].reverse()) {
      expect(status).toBe('Failed');
      await alice.pipeline().retryOperation('default', id);
      await network.pass(1_000);
    }
    await network.pass(20_000);
    for (const party of network.parties) expect(await confirmedAt(party)).toEqual(ids);
  });

  it('is followed by later batches in order, if the chain replaces their blocks again', async () => {
    const { network, alice, ids, confirmedAt } = await overtaking('private');
    const [failed] = await pinsOf(alice);
    await alice.pipeline().retryOperation('default', failed?.id ?? '');
    await network.pass(20_000);
    await reorganise(network, 6);
    await rebuildAll(network);
    for (const party of network.parties) expect(await confirmedAt(party)).toEqual(ids);
  });
});

describe('a token operation that the chain had refused and mines again with effect', () => {
  it('succeeds, and its message is no longer cancelled', async () => {
    const network = await start(parties);
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const { id: pool } = await makePool(network, alice);
    network.ledger.revertCalls(1);
    const { message } = await alice.operate('mint', { ...amountOf(5), pool, ...attached(1) });
    await network.settle();
    expect(await stateAt(alice, message?.header.id ?? '')).toBe('cancelled');
    await mineAgain(network, 1);
    expect(await stateAt(alice, message?.header.id ?? '')).toBe('confirmed');
    expect(await stateAt(bob, message?.header.id ?? '')).toBe('confirmed');
    expect(await balancesAt(bob, pool)).toEqual({ [`${alice.key}/`]: '5' });
  });
});

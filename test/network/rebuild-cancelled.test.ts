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

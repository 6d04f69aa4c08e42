import { expect } from 'vitest';
import type { SealedBatch } from '../../src/domain/batch.js';
import type { DataExchange } from '../../src/ports/data-exchange.js';
import { bring, envelopeOf, forgePrivate, groupOf, mallory, pinPrivate, registerMallory } from './mallory.js';
import { type Pipelines, type PipelinesOptions, to } from './pipelines.js';
import { decided, rowsOf } from './pipelines-check.js';

/** The group in which a hostile member sits beside two honest ones. */
export const members: readonly string[] = ['alice', 'bob', 'mallory'];
export const group = groupOf(members);
/** The honest ones. */
export const parties = ['alice', 'bob'] as const;

/** A network with the group, in which an order has begun. */
export async function startWithMallory(startPipelines: (options: PipelinesOptions) => Promise<Pipelines>) {
  const network = await startPipelines({ organizations: ['alice', 'bob', 'carol'] });
  const end = await registerMallory(network);
  // The group becomes known, and its order has begun.
  const first = await network.party('alice').send(to(members, ['orders'], 'first'));
  await network.settle();
  return { network, end, first: first.header.id };
}

/** Brings a batch to both members, and pins it. */
export async function launch(
  network: Pipelines,
  end: DataExchange,
  batch: SealedBatch,
  changes: object = {},
): Promise<void> {
  for (const name of parties) await bring(end, network, name, envelopeOf(batch.payload, group));
  await pinPrivate(network, batch, changes);
  await network.settle();
}

/** Messages of alice and bob after what was done, which both must decide, in one order. */
export async function expectFlow(network: Pipelines, before: readonly string[], topics = ['orders']): Promise<void> {
  const later = [
    await network.party('alice').send(to(members, topics, 'later a')),
    await network.party('bob').send(to(members, topics, 'later b')),
  ];
  await network.settle();
  const [order, same] = await Promise.all(parties.map((name) => decided(network.party(name))));
  expect(order).toEqual(same);
  expect(order?.slice(0, before.length)).toEqual(before);
  expect(order?.slice(before.length).sort()).toEqual(later.map(({ header }) => header.id).sort());
}

/** Expects what the honest members have found of the batches of mallory, in the order of their pins. */
export async function expectStates(network: Pipelines, states: readonly string[]): Promise<void> {
  for (const name of parties) {
    const batches = await rowsOf(network.party(name).database(), 'batches');
    expect(
      batches.filter(({ signer }) => signer === mallory.key).map(({ state }) => state),
      name,
    ).toEqual(states);
  }
}

/** A batch of mallory with which nothing is wrong. */
export const valid = forgePrivate({ group, nonces: [0] });

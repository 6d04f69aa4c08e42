import { expect } from 'vitest';
import type { SealedBatch } from '../../src/domain/messages/batch.js';
import type { DataExchange } from '../../src/ports/data-exchange.js';
import { bring, envelopeOf, forgePrivate, groupOf, mallory, pinPrivate, registerMallory } from './mallory.js';
import { type Pipelines, type PipelinesOptions, to } from './pipelines.js';
import { decided, rowsOf } from './pipelines-check.js';

/** The group with a hostile member and two honest ones. */
export const members: readonly string[] = ['alice', 'bob', 'mallory'];
export const group = groupOf(members);
/** The honest members. */
export const parties = ['alice', 'bob'] as const;

/** Starts a network with the group, whose context already has messages. */
export async function startWithMallory(startPipelines: (options: PipelinesOptions) => Promise<Pipelines>) {
  const network = await startPipelines({ organizations: ['alice', 'bob', 'carol'] });
  const end = await registerMallory(network);
  // The first message makes the group known.
  const first = await network.party('alice').send(to(members, ['orders'], 'first'));
  await network.settle();
  return { network, end, first: first.header.id };
}

/** Sends a batch to both members and pins it. */
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

/** Sends further messages of alice and bob, and expects that both decide them in one order. */
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

/** Expects the states of mallory's batches at the honest members, in the order of their pins. */
export async function expectStates(network: Pipelines, states: readonly string[]): Promise<void> {
  for (const name of parties) {
    const batches = await rowsOf(network.party(name).database(), 'batches');
    expect(
      batches.filter(({ signer }) => signer === mallory.key).map(({ state }) => state),
      name,
    ).toEqual(states);
  }
}

/** A valid batch of mallory. */
export const valid = forgePrivate({ group, nonces: [0] });

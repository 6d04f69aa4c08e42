import { expect, it } from 'vitest';
import { sha256 } from '../../../src/domain/hash.js';
import { topicPin } from '../../../src/domain/messages/pin.js';
import { forge, pin, registerMallory } from '../../support/mallory.js';
import { about, usePipelines } from '../../support/pipelines.js';
import { decided, rowsOf } from '../../support/pipelines-check.js';

const startPipelines = usePipelines();

it('payloads with very many contexts are downloaded in a separate lane, and void ones are spent', async () => {
  const network = await startPipelines({ organizations: ['alice', 'bob'] });
  await registerMallory(network);
  const [alice, bob] = [network.party('alice'), network.party('bob')];
  const large = [1, 2, 3].map((number) => ({
    ...forge({ number }),
    contexts: Array.from({ length: 401 }, (_, index) => topicPin(`topic-${number}-${index}`)),
  }));
  for (const forged of large) {
    network.store.withhold(sha256(forged.payload));
    await pin(network, forged);
  }
  const message = await alice.broadcast(about(['orders'], 1));
  await network.pass(1_000);
  expect(await decided(bob)).toEqual([message.header.id]);
  const downloads = (await rowsOf(bob.database(), 'operations')).filter(({ type }) => type.includes('download'));
  const kinds = downloads.map(({ lane }) => lane.split(':')[0]);
  expect(kinds).toEqual(['fetch-large', 'fetch-large', 'fetch-large', 'fetch']);
  for (const forged of large) network.store.release(sha256(forged.payload));
  await network.pass(60_000);
  for (const party of network.parties) {
    expect(await party.database().count('pins', { spent: false })).toBe(0);
    expect(await party.database().count('due', {})).toBe(0);
  }
});

import { expect, onTestFinished, test } from 'vitest';
import type { Status } from '../../../src/wire/network/status.js';
import { startTestNetwork } from '../../support/node.js';

async function peersOf(url: string): Promise<Status['parley']['peers']> {
  const answer = await fetch(`${url}/api/v1/status`);
  const { parley } = (await answer.json()) as Status;
  return parley.peers;
}

test('the status names the other nodes, their waiting envelopes, and the time of their last contact', async () => {
  const network = await startTestNetwork(['alice', 'bob', 'carol']);
  onTestFinished(() => network.stop());
  const [alice, bob] = network.nodes;
  const [atAlice, atBob] = [alice?.url ?? '', bob?.url ?? ''];
  await expect.poll(() => peersOf(atAlice)).toHaveLength(2);
  expect(await peersOf(atAlice)).toEqual([
    { node: 'bob-node', outbox: 0 },
    { node: 'carol-node', outbox: 0 },
  ]);
  const sent = await fetch(`${atAlice}/api/v1/send/message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"header":{"txtype":"none"},"group":{"members":[{"identity":"bob"}]},"data":[{"value":1}]}',
  });
  expect(sent.status).toBe(202);
  const heard = { lastContact: expect.stringMatching(/^\d{4}-/) as string };
  await expect
    .poll(async () => (await peersOf(atAlice)).some(({ lastContact }) => lastContact !== undefined))
    .toBe(true);
  expect(await peersOf(atAlice)).toEqual([
    { node: 'bob-node', outbox: 0, ...heard },
    { node: 'carol-node', outbox: 0 },
  ]);
  await expect.poll(async () => (await peersOf(atBob)).some(({ lastContact }) => lastContact !== undefined)).toBe(true);
  expect(await peersOf(atBob)).toEqual([
    { node: 'alice-node', outbox: 0, ...heard },
    { node: 'carol-node', outbox: 0 },
  ]);
});

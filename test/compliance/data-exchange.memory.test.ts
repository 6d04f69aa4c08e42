import { expect, it } from 'vitest';
import { createMemoryExchange } from '../../src/adapters/data-exchange/memory.js';
import { describeDataExchange, type DataExchangeUnderTest } from './data-exchange.js';

function createSubject(): DataExchangeUnderTest {
  const exchange = createMemoryExchange();
  const peers = ['a', 'b', 'c'].map((digit) => ({ publicKeyHash: digit.repeat(64), endpoint: `https://${digit}:1` }));
  const [alice, bob, carol] = peers as [(typeof peers)[0], (typeof peers)[0], (typeof peers)[0]];
  return { alice, bob, carol, connect: async (own) => exchange.connect(own), dispose: async () => undefined };
}

describeDataExchange('memory', async () => createSubject());

it('a node that died without closing is replaced by its successor', async () => {
  const { alice, bob, connect } = createSubject();
  const receiver = {
    offerBlob: async () => ({ status: 'later', reason: '' }) as const,
    receiveBlob: async () => ({ status: 'later', reason: '' }) as const,
    receiveRequest: async () => ({ status: 'later', reason: '' }) as const,
  };
  const dead = await connect(bob);
  await dead.listen({ ...receiver, receiveEnvelope: async () => ({ status: 'later', reason: '' }) });
  const successor = await connect(bob);
  successor.admit(new Set([alice.publicKeyHash]));
  await successor.listen({ ...receiver, receiveEnvelope: async () => ({ status: 'stored' }) });
  await dead.close();
  expect(await (await connect(alice)).send(bob, '{}')).toEqual({ status: 'stored' });
});

import { expect, it } from 'vitest';
import { createMemoryExchange } from '../../src/adapters/data-exchange/memory.js';
import { describeDataExchange } from './data-exchange.js';

const alice = 'a'.repeat(64);
const bob = 'b'.repeat(64);

describeDataExchange('memory', async () => {
  const { connect } = createMemoryExchange();
  return { alice, bob, connect, dispose: async () => undefined };
});

it('a peer that died without closing is taken over by its successor', async () => {
  const exchange = createMemoryExchange();
  const dead = exchange.connect(bob);
  await dead.listen(async () => ({ status: 'later' }));
  await exchange.connect(bob).listen(async () => ({ status: 'stored' }));
  await dead.close();
  expect(await exchange.connect(alice).send(bob, '{}')).toEqual({ status: 'stored' });
});

import { expect, it } from 'vitest';
import { newRegistryOperation } from '../../../src/pipeline/operations/registry-operation.js';
import { keyOf } from '../../support/registry.js';
import { about, usePipelines } from '../../support/pipelines.js';

const start = usePipelines();

it('a pin follows the registry calls that were requested before it for its key', async () => {
  const network = await start({ organizations: ['alice', 'bob'] });
  const alice = network.party('alice');
  const calls = [1, 2, 3].map((number) => {
    const id = `00000000-0000-4000-8000-00000000000${number}`;
    const subject = { namespace: 'default', tx: id, batch: '', batchHash: '', signer: alice.key };
    const call = { type: 'add_key', name: `desk-${number}`, key: keyOf(0xde50 + number) } as const;
    return newRegistryOperation({ id, created: network.clock.now(), subject, call });
  });
  await alice.database().transaction((unit) => unit.insert('operations', calls));
  await alice.broadcast(about(['orders'], 'behind'));
  await network.settle();
  const types = network.ledger.logs().map(({ type }) => type);
  expect(types.slice(types.indexOf('key_added'))).toEqual(['key_added', 'key_added', 'key_added', 'batch_pin']);
});

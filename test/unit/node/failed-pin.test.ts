import { expect, test } from 'vitest';
import { keyLane, newOperation } from '../../../src/pipeline/operation.js';
import { uuid } from '../../support/fixtures.js';
import { startTestNetwork } from '../../support/node.js';

test('status names a pin that has failed for good, since it holds up all later messages', async () => {
  const network = await startTestNetwork();
  const { database, url } = network.node;
  const key = `0x${'1'.padStart(40, '0')}`;
  const subject = { namespace: 'default', tx: uuid(1), batch: uuid(2), batchHash: 'a'.repeat(64), signer: key };
  const created = '2026-01-15T10:00:00.000Z';
  const operation = newOperation({ id: uuid(3), type: 'blockchain_pin_batch', lane: keyLane(key), created, subject });
  await database.transaction((unit) =>
    unit.insert('operations', [{ ...operation, status: 'Failed', error: 'NotRegistered' }]),
  );
  const status = await (await fetch(`${url}/api/v1/status`)).text();
  expect(JSON.parse(status)).toMatchObject({
    parley: { waiting: [{ service: 'chain', since: created, error: expect.stringContaining('NotRegistered') }] },
  });
  await network.stop();
});

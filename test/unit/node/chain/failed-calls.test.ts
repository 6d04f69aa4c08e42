import { describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';
import { failedCalls } from '../../../../src/node/chain/failed-calls.js';
import { createCancelBatch } from '../../../../src/pipeline/accept/messages/cancel.js';
import { createRetryOperation } from '../../../../src/pipeline/accept/messages/retry.js';
import { createBus } from '../../../../src/pipeline/bus.js';
import { systemNamespace } from '../../../../src/domain/network/identity.js';
import { keyLane } from '../../../../src/pipeline/operations/operation.js';
import type { Database } from '../../../../src/ports/database.js';
import type { NewRow } from '../../../../src/ports/tables/tables.js';
import { putFailures } from '../../../support/failures.js';
import { uuid } from '../../../support/fixtures.js';
import { startTestNetwork } from '../../../support/node.js';
import { rowsOf } from '../../../support/pipelines-check.js';
import { own } from '../../pipeline/accept/messages/acceptance.js';
import { insert } from '../../pipeline/operations/operations.js';

const right = { matches: true };

/** A node with a batch whose pin has failed permanently. */
async function aScene() {
  const database = createMemoryDatabase();
  const batch = (await putFailures(database, own.key, 1)).batch();
  const parts = { database, own, bus: createBus(), clock: createManualClock(), random: createSeededRandom(1) };
  const blockchain = { network: `0x${'e'.repeat(40)}` };
  const [cancel, retry] = [createCancelBatch(parts), createRetryOperation({ ...parts, blockchain })];
  const pin = (await rowsOf(database, 'operations')).find(({ type }) => type === 'blockchain_pin_batch');
  return {
    database,
    batch,
    cancel,
    retry,
    pinId: pin?.id ?? '',
    failed: (registration = right) => failedCalls(database, own.keys, registration),
  };
}

async function aSceneWithoutPins() {
  const scene = await aScene();
  await scene.cancel('default', scene.batch);
  return scene;
}

type Call = Pick<NewRow<'operations'>, 'namespace' | 'status' | 'error' | 'input'>;

function setNode(status: Call['status']): Call {
  const input = { type: 'set_node', endpoint: 'https://127.0.0.1/2', publicKeyHash: '7'.repeat(64) };
  return { namespace: systemNamespace, status, error: 'Refused', input };
}

function addKey(status: Call['status']): Call {
  const input = { type: 'add_key', name: 'shop', key: `0x${'2'.repeat(40)}` };
  return { namespace: 'default', status, error: 'NameTaken', input };
}

let count = 0;

/** Adds calls of the registry, oldest first. */
async function addCalls(database: Database, calls: readonly Call[]): Promise<void> {
  for (const call of calls) {
    const type = 'blockchain_register_identity';
    await insert(database, [(count += 1)], { type, lane: keyLane(own.key), ...call });
  }
}

describe('the status of a node', () => {
  it('names a pin that has failed permanently, since it delays all later messages of its key', async () => {
    const { failed, batch } = await aScene();
    expect(await failed()).toMatchObject([{ service: 'chain', error: expect.stringContaining(batch) }]);
  });

  it('does not name it after its batch is cancelled', async () => {
    const { failed, batch, cancel } = await aScene();
    await cancel('default', batch);
    expect(await failed()).toEqual([]);
  });

  it('does not name it after it is retried', async () => {
    const { failed, pinId, retry } = await aScene();
    await retry('default', pinId);
    expect(await failed()).toEqual([]);
  });

  it('names the failed registration of its own endpoint until it is retried or correct', async () => {
    const { failed, database } = await aSceneWithoutPins();
    await addCalls(database, [setNode('Failed')]);
    expect(await failed({ matches: false })).toMatchObject([{ error: expect.stringContaining('Refused') }]);
    expect(await failed({ matches: true })).toEqual([]);
    await addCalls(database, [setNode('Pending')]);
    expect(await failed({ matches: false })).toEqual([]);
  });

  it('does not name a refused request for an identity, which delays nothing', async () => {
    const { failed, database } = await aSceneWithoutPins();
    await addCalls(database, [addKey('Failed')]);
    expect(await failed({ matches: false })).toEqual([]);
  });

  it('names its own registration also next to later requests for identities', async () => {
    const { failed, database } = await aSceneWithoutPins();
    await addCalls(database, [setNode('Failed'), addKey('Failed'), addKey('Succeeded')]);
    expect(await failed({ matches: false })).toMatchObject([{ error: expect.stringContaining('Refused') }]);
  });

  it('shows failures over HTTP', async () => {
    const network = await startTestNetwork();
    const { database, url } = network.node;
    await putFailures(database, `0x${'1'.padStart(40, '0')}`, 1);
    const status = await (await fetch(`${url}/api/v1/status`)).text();
    expect(JSON.parse(status)).toMatchObject({
      parley: { waiting: [{ service: 'chain', error: expect.stringContaining(uuid(100_001)) }] },
    });
    await network.stop();
  });
});

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';
import { createAuthentication } from '../../../../src/http/access/auth.js';
import { failedCalls } from '../../../../src/node/chain/failed-calls.js';
import { createCancelBatch } from '../../../../src/pipeline/accept/messages/cancel.js';
import { createRetryOperation } from '../../../../src/pipeline/accept/messages/retry.js';
import { createBus } from '../../../../src/pipeline/bus.js';
import { beginAttempt } from '../../../../src/pipeline/judging/attempts.js';
import { systemNamespace } from '../../../../src/domain/network/identity.js';
import { keyLane } from '../../../../src/pipeline/operations/operation.js';
import type { Database } from '../../../../src/ports/database.js';
import type { NewRow } from '../../../../src/ports/tables/tables.js';
import { putFailures } from '../../../support/failures.js';
import { uuid } from '../../../support/fixtures.js';
import { startTestNetwork, type TestNetwork } from '../../../support/node.js';
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
    failed: (registration = right) => failedCalls(database, own.keys, registration, () => true),
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
});

describe('a failed pin over HTTP', () => {
  const batch = uuid(100_001);
  const key = `0x${'1'.padStart(40, '0')}`;
  let network: TestNetwork;

  beforeAll(async () => {
    network = await startTestNetwork(['alice'], {
      namespaces: ['default', 'blue'],
      authenticationOf: () =>
        createAuthentication([{ ...credential('reader'), namespaces: ['blue'] }, credential('owner')]),
    });
    await putFailures(network.node.database, key, 1);
    await network.node.database.transaction(async (unit) => {
      const need = { key: 'typed:1', subject: 'values of the namespace default by order@1', sizeBytes: 12 };
      for (let attempt = 0; attempt < 2; attempt += 1) await beginAttempt(unit, need, '2026-01-15T10:00:00.000Z');
    });
  });
  afterAll(() => network.stop());

  /** A credential whose token is its name. */
  function credential(name: string) {
    return { name, secret: { kind: 'token', sha256: createHash('sha256').update(name).digest() } } as const;
  }

  async function read(path: string, name: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${name}` };
    return (await fetch(`${network.node.url}/api/v1/namespaces/blue/${path}`, { headers })).json();
  }

  it('is identified, with its error, to a credential for all namespaces', async () => {
    expect(await read('status', 'owner')).toMatchObject({
      parley: { waiting: [{ service: 'judgement' }, { service: 'chain', error: expect.stringContaining(batch) }] },
    });
    expect(await read('status/batchmanager', 'owner')).toMatchObject({
      processors: [{}, { status: { flushing: batch, blocked: true, lastFlushError: expect.any(String) } }],
    });
  });

  it('blocks the key without an id or error for a credential of another namespace', async () => {
    const shown = await Promise.all(['status', 'status/batchmanager'].map((path) => read(path, 'reader')));
    expect(shown).toMatchObject([
      { parley: { waiting: [{ service: 'judgement' }, { service: 'chain' }] } },
      { processors: [{}, { status: { blocked: true, totalBatches: 1, totalErrors: 1 } }] },
    ]);
    for (const hidden of [batch, 'Refused', 'default']) expect(JSON.stringify(shown)).not.toContain(hidden);
  });
});

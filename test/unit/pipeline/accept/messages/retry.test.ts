import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createRetryOperation } from '../../../../../src/pipeline/accept/messages/retry.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import type { OperationRow } from '../../../../../src/ports/tables/tables.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { insert } from '../../operations/operations.js';

const network = `0x${'e'.repeat(40)}`;

/** Creates a failed operation: an envelope that its peer has refused. */
async function aScene(changes: Partial<OperationRow> = {}) {
  const database = createMemoryDatabase();
  const refused = {
    type: 'dataexchange_send_batch',
    lane: 'peer:x',
    plugin: 'mtls',
    status: 'Failed',
    error: 'refused',
    input: { peer: 'x' },
    nonce: 3,
    raw: '0x0',
  } as const;
  await insert(database, [1], { ...refused, ...changes });
  const retry = createRetryOperation({
    database,
    blockchain: { network },
    bus: createBus(),
    clock: createManualClock(),
    random: createSeededRandom(1),
  });
  const setStatus = (id: string, status: OperationRow['status']) =>
    database.transaction((unit) => {
      return unit.update('operations', { namespace: 'default', id }, { status });
    });
  return { retry: (id: string) => retry('default', id), rows: () => rowsOf(database, 'operations'), setStatus };
}

describe('the retry of an operation', () => {
  it('is a new operation of the same type, input and transaction, to which the old one refers', async () => {
    const { retry, rows } = await aScene();
    const answer = await retry(uuid(1));
    const [old, fresh] = await rows();
    expect(old).toMatchObject({ status: 'Failed', error: 'refused', retry: fresh?.id });
    expect(fresh).toEqual(answer);
    expect(fresh).toMatchObject({
      type: old?.type,
      lane: old?.lane,
      tx: old?.tx,
      input: { peer: 'x' },
      status: 'Initialized',
      error: null,
      retry: null,
    });
  });

  it('has no nonce and no signed call yet', async () => {
    const { retry } = await aScene();
    expect(await retry(uuid(1))).toMatchObject({ nonce: null, raw: null });
  });

  it('of an operation that has a retry repeats the newest one', async () => {
    const { retry, rows, setStatus } = await aScene();
    const second = await retry(uuid(1));
    await setStatus(second.id, 'Failed');
    const third = await retry(uuid(1));
    expect((await rows()).map((row) => row.retry)).toEqual([second.id, third.id, null]);
  });

  it.each(['Initialized', 'Pending', 'Succeeded'] as const)(
    'is refused for an operation that is %s',
    async (status) => {
      const { retry, rows } = await aScene({ status });
      expect(await codeOfAsync(() => retry(uuid(1)))).toBe('PY1301');
      expect(await rows()).toHaveLength(1);
    },
  );

  it('is refused while the newest retry has not ended', async () => {
    const { retry } = await aScene();
    await retry(uuid(1));
    expect(await codeOfAsync(() => retry(uuid(1)))).toBe('PY1301');
  });

  it('is refused for a pin whose batch does not wait for it', async () => {
    const { retry } = await aScene({ type: 'blockchain_pin_batch' });
    expect(await codeOfAsync(() => retry(uuid(1)))).toBe('PY1301');
  });

  it('is refused for a call of the network contract, which an earlier version may have accepted', async () => {
    const input = { location: { address: network }, options: { value: '0' }, data: '0x12345678', errors: [] };
    const { retry, rows } = await aScene({ type: 'blockchain_invoke', input });
    expect(await codeOfAsync(() => retry(uuid(1)))).toBe('PY1503');
    expect(await rows()).toHaveLength(1);
  });

  it('of an unknown operation is not found', async () => {
    const { retry } = await aScene();
    expect(await codeOfAsync(() => retry(uuid(404)))).toBe('FF10109');
  });
});

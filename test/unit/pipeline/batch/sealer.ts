import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';
import { type BatchParts, createBatchStage } from '../../../../src/pipeline/batch/batch.js';
import { createRegistry } from '../../../../src/pipeline/state/identities/registry.js';
import { newData } from '../../../../src/pipeline/state/data/data-row.js';
import type { Database } from '../../../../src/ports/database.js';
import type { OperationRow, TableName, Tables } from '../../../../src/ports/tables/tables.js';
import { every } from '../../../../src/ports/tables/where.js';
import { noValue } from '../../../../src/wire/scalar.js';
import { uuid } from '../../../support/fixtures.js';
import { about, to } from '../../../support/pipelines.js';
import { rowsOf } from '../../../support/pipelines-check.js';
import { anAcceptance, own } from '../accept/messages/acceptance.js';
import { rulebookOf } from '../../../support/rulebook.js';

export const blob = { hash: 'b'.repeat(64), size: 7 };

/** Stores an item with a blob that is on this node's disk but not in the shared store. */
export async function storeBlobItem(database: Database) {
  const created = '2026-01-15T10:00:00.000Z';
  const item = { id: uuid(1), hash: blob.hash, validator: 'json', created, blob };
  await database.transaction(async (unit) => {
    await unit.insert('data', [newData('default', { ...item, value: noValue })]);
    await unit.insert('blobs', [{ namespace: 'default', hash: blob.hash, sizeBytes: blob.size, created }]);
  });
  return item;
}

interface SealerOptions extends Pick<BatchParts, 'onSealed' | 'batching'> {
  /** Called before the step reads the messages. */
  readonly beforeMessages?: () => Promise<unknown>;
}

/** Creates a sender with the stage that seals. */
export async function aSealer({ onSealed, batching, beforeMessages = async () => undefined }: SealerOptions = {}) {
  const clock = createManualClock();
  const { acceptMessage, acceptPrivate, database, bus } = await anAcceptance();
  const { step, sealer } = createBatchStage({
    rulebook: rulebookOf(),
    database: {
      ...database,
      async rows(...query) {
        if (query[0] === 'messages') await beforeMessages();
        return database.rows(...query);
      },
    },
    own,
    registry: createRegistry(),
    clock,
    random: createSeededRandom(2),
    failpoint: { reach: () => Promise.resolve() },
    onSealed,
    batching,
  });
  const rows = <T extends TableName>(table: T): Promise<readonly Tables[T][]> => rowsOf(database, table);
  const operations = async (type: string) => (await rows('operations')).filter((row) => row.type === type);
  /** Ends the operations of a batch with this status. */
  async function endPin(status: OperationRow['status'], batch: string): Promise<void> {
    await database.transaction(async (unit) => {
      await unit.update('operations', { namespace: every, batch }, { status });
      if (status === 'Succeeded') await unit.update('batches', { namespace: every, id: batch }, { state: 'pinned' });
    });
  }
  return {
    key: own.key,
    clock,
    broadcast: (...topics: string[]) => acceptMessage('default', about(topics, topics)),
    send: (members: readonly string[], topics: readonly string[]) =>
      acceptPrivate('default', to(members, topics, topics)),
    acceptMessage,
    acceptPrivate,
    database,
    bus,
    step,
    sealer,
    rows,
    operations,
    endPin,
  };
}

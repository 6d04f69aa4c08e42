import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';
import { type BatchParts, createBatchStage } from '../../../../src/pipeline/batch/batch.js';
import { createRegistry } from '../../../../src/pipeline/common/identities/registry.js';
import type { OperationRow, TableName, Tables } from '../../../../src/ports/tables/tables.js';
import { every } from '../../../../src/ports/tables/where.js';
import { about, to } from '../../../support/pipelines.js';
import { rowsOf } from '../../../support/pipelines-check.js';
import { anAcceptance, own } from '../accept/messages/acceptance.js';
import { rulebookOf } from '../../../support/rulebook.js';

/** A sender with the stage that seals. */
export async function aSealer({ onSealed, batching }: Pick<BatchParts, 'onSealed' | 'batching'> = {}) {
  const clock = createManualClock();
  const { acceptMessage, acceptPrivate, database, bus } = await anAcceptance();
  const { step, sealer } = createBatchStage({
    rulebook: rulebookOf(),
    database,
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
  /** The pin of a batch has ended, well or not. */
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

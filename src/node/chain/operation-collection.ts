import { operationRecord } from '../../pipeline/records/operations.js';
import { readContexts } from '../../pipeline/state/messages/pin-contexts.js';
import type { Database } from '../../ports/database.js';
import type { OperationRow } from '../../ports/tables/tables.js';
import { readFlag } from '../../wire/lists/query.js';
import type { Operation } from '../../wire/chain/transaction.js';
import { type Collection, collectionOfTable } from '../lists/collection.js';
import { detailOf, type OperationActivity } from './operation-detail.js';

/** Operations. A single requested pin also shows its contexts, which are read from the messages of its batch. */
export function operationCollection(database: Database, activity: OperationActivity): Collection<Operation> {
  return collectionOfTable({
    database,
    table: 'operations',
    async show(rows, { flags, isSingle }) {
      const hasDetail = readFlag(flags.get('fetchstatus')) ?? false;
      const shown = isSingle ? await Promise.all(rows.map((row) => withContexts(database, row))) : rows;
      return shown.map((row) => operationRecord(row, hasDetail ? detailOf(row, activity) : undefined));
    },
  });
}

async function withContexts(database: Database, row: OperationRow): Promise<OperationRow> {
  if (row.type !== 'blockchain_pin_batch') return row;
  const { namespace, batch: id, batchHash: hash, signer } = row;
  const batch = await database.first('batches', { namespace, id, hash, signer });
  if (batch === undefined) return row;
  return { ...row, input: { ...row.input, contexts: await readContexts(database, batch) } };
}

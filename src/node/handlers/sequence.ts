import type { Bus } from '../../pipeline/bus.js';
import type { Pipeline } from '../../pipeline/pipeline.js';
import { batchProgress } from '../../pipeline/progress.js';
import { rewindPins } from '../../pipeline/state/chain/rewind.js';
import type { Database } from '../../ports/database.js';
import type { BatchRow } from '../../ports/tables/tables.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { sequenceRoutes } from '../../wire/routes/sequence.js';
import type { HandlersOf } from '../requests/handler.js';
import { readHash, readId } from '../lists/id.js';
import { seenBatch } from '../messages/find-message.js';

export interface SequenceHandlerParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly cancelBatch: Pipeline['cancelBatch'];
}

/** Creates the handlers for the order of messages. */
export function createSequenceHandlers(parts: SequenceHandlerParts): HandlersOf<typeof sequenceRoutes> {
  const { database, bus, cancelBatch } = parts;
  return {
    async cancelBatch({ namespace, params }) {
      await cancelBatch(namespace, readId('The batch id', params.batchid));
      return null;
    },

    async getBatchProgress({ namespace, params, query }) {
      const id = readId('The batch id', params.batchid);
      const hash = readHash('hash', query.get('hash'));
      return batchProgress(database, await findBatch(database, namespace, { id, hash }));
    },

    async rewindPins({ body: { sequence: given, batch } }) {
      const id = batch === undefined ? undefined : readId('batch', batch);
      const sequence = id === undefined ? given : await firstPinOf(database, id);
      if (sequence === undefined) {
        throw new ServiceError('field_required', { field: 'sequence', hint: ' where no batch is named' });
      }
      await rewindPins(database, bus, { sequence });
      return { sequence, ...(id !== undefined && { batch: id }) };
    },
  };
}

/** The sequence of a batch's first pin. @throws ServiceError not_found */
async function firstPinOf(database: Database, batch: string): Promise<number> {
  const pin = await database.first('pins', { batch });
  if (pin === undefined) throw new ServiceError('not_found', { what: `a pin of batch ${batch}` });
  return pin.sequence;
}

/** Finds the batch that a request names. @throws ServiceError not_found */
async function findBatch(
  database: Database,
  namespace: string,
  { id, hash }: { readonly id: string; readonly hash: string | undefined },
): Promise<BatchRow> {
  const named = { id, ...(hash !== undefined && { hash }) };
  const batch = await seenBatch(database, namespace, named);
  if (batch === undefined) throw new ServiceError('not_found', { what: `batch ${id} in namespace ${namespace}` });
  return batch;
}

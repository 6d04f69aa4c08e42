import type { Bus } from '../../pipeline/bus.js';
import type { Pipeline } from '../../pipeline/pipeline.js';
import { rewindPins } from '../../pipeline/rewind.js';
import { type Database, everyNamespace } from '../../ports/database.js';
import { ServiceError } from '../../wire/error.js';
import { equal, oldestFirst } from '../../wire/query.js';
import type { sequenceRoutes } from '../../wire/routes/sequence.js';
import type { HandlersOf } from '../handler.js';
import { readId } from '../id.js';

export interface SequenceHandlerParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly cancelBatch: Pipeline['cancelBatch'];
}

/** What the node does about the order of messages. */
export function createSequenceHandlers(parts: SequenceHandlerParts): HandlersOf<typeof sequenceRoutes> {
  const { database, bus, cancelBatch } = parts;
  return {
    async cancelBatch({ namespace, params }) {
      await cancelBatch(namespace, readId('The batch id', params.batchid));
      return null;
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

/** @throws ServiceError not_found */
async function firstPinOf(database: Database, batch: string): Promise<number> {
  const where = [equal('batch', batch)];
  const [pin] = await database.find('pins', { namespace: everyNamespace, where, sort: oldestFirst, limit: 1 });
  if (pin === undefined) throw new ServiceError('not_found', { what: `a pin of batch ${batch}` });
  return pin.sequence;
}

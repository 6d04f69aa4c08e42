import type { DataExchange } from '../../ports/data-exchange.js';
import type { Database } from '../../ports/database.js';
import type { RunOperation } from '../operations/attempt.js';
import { callPeer, findPeer } from './call-peer.js';

export interface RequestBatchParts {
  readonly database: Database;
  readonly dataExchange: Pick<DataExchange, 'request'>;
}

/** Requests a private batch, whose data was deleted here, of its author's node once more (docs/protocol.md §11.6). */
export function createRequestBatch({ database, dataExchange }: RequestBatchParts): RunOperation {
  return async (operation, signal) => {
    const peer = await findPeer(database, operation);
    return callPeer(
      peer,
      (known) => dataExchange.request(known, operation.batchHash, signal),
      async () => [],
    );
  };
}

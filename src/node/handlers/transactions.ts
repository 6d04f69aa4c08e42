import type { Database } from '../../ports/database.js';
import type { Pipeline } from '../../pipeline/pipeline.js';
import type { Clock } from '../../ports/clock.js';
import { equal } from '../../wire/query.js';
import type { transactionRoutes } from '../../wire/routes/transactions.js';
import { readHistogram } from '../histogram.js';
import type { HandlersOf } from '../handler.js';
import { readId } from '../id.js';
import { operationRecord } from '../../pipeline/records/operations.js';
import type { Reading } from '../read.js';
import { findTransaction, namespaceOfEvents, transactionStatus } from '../transaction-status.js';

export interface TransactionHandlerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly reading: Reading;
  readonly retryOperation: Pipeline['retryOperation'];
}

/** What the node answers about transactions, operations, and how many there were. */
export function createTransactionHandlers(parts: TransactionHandlerParts): HandlersOf<typeof transactionRoutes> {
  const { database, clock, reading, retryOperation } = parts;
  return {
    getTransactionStatus: ({ namespace, params }) => transactionStatus(database, namespace, params.transactionid),

    async listTransactionOperations({ namespace, params, ...request }) {
      const transaction = await findTransaction(database, namespace, params.transactionid);
      return reading.list('operations', { ...request, namespace }, [equal('tx', transaction.id)]);
    },

    async listTransactionBlockchainEvents({ namespace, params, ...request }) {
      const transaction = await findTransaction(database, namespace, params.transactionid);
      const where = [equal('txid', transaction.id)];
      return reading.list('blockchainevents', { ...request, namespace: namespaceOfEvents(transaction) }, where);
    },

    async retryOperation({ namespace, params }) {
      const row = await retryOperation(namespace, readId('The operation id', params.operationid));
      return operationRecord(row, undefined);
    },

    getChartHistogram: ({ namespace, params, query }) =>
      readHistogram(database, { namespace, collection: params.collection, query, now: clock.now() }),
  };
}

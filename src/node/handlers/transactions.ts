import type { Database } from '../../ports/database.js';
import type { Pipeline } from '../../pipeline/pipeline.js';
import type { Clock } from '../../ports/clock.js';
import type { OwnIdentity } from '../../pipeline/state/identities/own-identity.js';
import type { MessageRow, OperationRow, OperationType } from '../../ports/tables/tables.js';
import { equal } from '../../wire/lists/query.js';
import type { Grant } from '../../wire/route.js';
import type { transactionRoutes } from '../../wire/routes/transactions.js';
import type { Access } from '../requests/access.js';
import type { HttpRequest } from '../data/binary.js';
import { requireSigner } from '../identities/signers.js';
import { createPoolRights } from '../tokens/pool-rights.js';
import { readHistogram } from '../events/histogram.js';
import type { HandlersOf } from '../requests/handler.js';
import { readId } from '../lists/id.js';
import { operationRecord } from '../../pipeline/records/operations.js';
import type { Reading } from '../lists/read.js';
import { findTransaction, namespaceOfEvents, transactionStatus } from '../chain/transaction-status.js';

export interface TransactionHandlerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly reading: Reading;
  readonly retryOperation: Pipeline['retryOperation'];
  readonly access: Access;
  readonly own: Pick<OwnIdentity, 'key'>;
}

/** The grants that operations required when they were requested; others require none. */
const grantOf: Readonly<Partial<Record<OperationType, Grant>>> = {
  blockchain_invoke: 'invoke',
  blockchain_deploy: 'deploy',
  blockchain_register_identity: 'identities',
  token_create_pool: 'tokens',
  token_approval: 'tokens',
};

/** Operations for which a request may name the signing key, directly or through the author of a message. */
const signing: ReadonlySet<OperationType> = new Set([
  'blockchain_pin_batch',
  'blockchain_invoke',
  'blockchain_deploy',
  'token_create_pool',
  'token_transfer',
  'token_approval',
]);

/** Creates the handlers for transactions, operations and charts. */
export function createTransactionHandlers(parts: TransactionHandlerParts): HandlersOf<typeof transactionRoutes> {
  const { database, clock, reading, retryOperation, access } = parts;
  const poolRights = createPoolRights(parts);

  /** Checks that the caller who retries an operation has the rights to request it. */
  async function permit(
    message: HttpRequest['message'],
    { namespace, type, input, signer }: OperationRow,
    messages: readonly MessageRow[],
  ): Promise<void> {
    const grant = grantOf[type];
    if (grant !== undefined) access.requireGrant(message, grant);
    const keys = [...(signing.has(type) ? [signer] : []), ...messages.map(({ key }) => key)];
    for (const key of keys) requireSigner(parts, message, key);
    if (type === 'token_transfer') {
      const pool = await database.first('pools', { namespace, id: String(input['pool']) });
      // Without its pool the operation is refused anyway, with that reason.
      if (pool !== undefined) await poolRights(message)(pool);
    }
  }

  return {
    getTransactionStatus: ({ namespace, params }) => transactionStatus(database, namespace, params.transactionid),

    async listTransactionOperations({ namespace, params, ...request }) {
      const transaction = await findTransaction(database, namespace, params.transactionid);
      return reading.list('operations', { ...request, namespace }, [equal('tx', transaction.id)]);
    },

    async listTransactionBlockchainEvents({ namespace, params, ...request }) {
      const transaction = await findTransaction(database, namespace, params.transactionid);
      const where = [equal('txid', transaction.id)];
      const eventNamespace = await namespaceOfEvents(database, transaction);
      return reading.list('blockchainevents', { ...request, namespace: eventNamespace }, where);
    },

    async retryOperation({ namespace, params, http }) {
      const id = readId('The operation id', params.operationid);
      const row = await retryOperation(namespace, id, (...asked) => permit(http.message, ...asked));
      return operationRecord(row, undefined);
    },

    getChartHistogram: ({ namespace, params, query }) =>
      readHistogram(database, { namespace, collection: params.collection, query, now: clock.now() }),
  };
}

import { Type } from '@sinclair/typebox';
import { BlockchainEvent } from '../contracts/blockchain-event.js';
import { get, list, post } from '../route.js';
import { Flag } from '../scalar.js';
import { HistogramBucket, Operation, Transaction, TransactionStatus } from '../chain/transaction.js';

const moment = Type.String({ description: 'RFC 3339, or a whole number of s, ms, µs or ns' });

export const transactionRoutes = {
  listTransactions: list('transactions', {
    from: 'transactions',
    summary: 'List transactions, newest first',
    reply: Transaction,
  }),
  getTransaction: get('transactions/{transactionid}', {
    from: 'transactions',
    by: { id: 'transactionid' },
    summary: 'Get a transaction',
    reply: Transaction,
  }),
  listTransactionOperations: list('transactions/{transactionid}/operations', {
    like: 'operations',
    summary: 'List the operations of a transaction',
    query: { fetchstatus: Flag },
    reply: Operation,
  }),
  getTransactionStatus: get('transactions/{transactionid}/status', {
    summary: 'Show the status of a transaction, part by part',
    reply: TransactionStatus,
  }),
  listTransactionBlockchainEvents: list('transactions/{transactionid}/blockchainevents', {
    like: 'blockchainevents',
    summary: 'List the blockchain events of a transaction',
    reply: BlockchainEvent,
  }),
  listOperations: list('operations', {
    from: 'operations',
    summary: 'List operations, newest first',
    query: { fetchstatus: Flag },
    reply: Operation,
  }),
  getOperation: get('operations/{operationid}', {
    from: 'operations',
    by: { id: 'operationid' },
    summary: 'Get an operation, with fetchstatus=true its progress',
    query: { fetchstatus: Flag },
    reply: Operation,
  }),
  retryOperation: post('operations/{operationid}/retry', {
    granted: 'A credential for namespaces needs the grant that the operation itself needs.',
    summary: 'Retry a failed operation, as a new one of the same type and input',
    status: 202,
    reply: Operation,
  }),
  getChartHistogram: get('charts/histogram/{collection}', {
    summary: 'Count the records of a collection by time interval',
    query: { startTime: moment, endTime: moment, buckets: Type.Integer({ minimum: 1, maximum: 100 }) },
    reply: Type.Array(HistogramBucket),
  }),
} as const;

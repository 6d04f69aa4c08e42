import { expect } from 'vitest';
import type { transactionRoutes } from '../../../src/wire/routes/transactions.js';
import type { Examples, Scene } from './example.js';

const ofTransaction = ({ batch }: Scene) => ({ transactionid: batch.tx.id });
const ofOperation = ({ operation }: Scene) => ({ operationid: operation.id });

export const transactionExamples: Examples<typeof transactionRoutes> = {
  listTransactions: {
    call: ({ client, batch }) => client.listTransactions({ query: { id: batch.tx.id, type: 'batch_pin' } }),
    shows: ({ batch }) => [{ id: batch.tx.id, namespace: 'default' }],
  },
  getTransaction: {
    call: (scene) => scene.client.getTransaction({ path: ofTransaction(scene) }),
    shows: ({ batch }) => ({ id: batch.tx.id, type: 'batch_pin' }),
    parameters: ofTransaction,
  },
  listTransactionOperations: {
    call: (scene) =>
      scene.client.listTransactionOperations({ path: ofTransaction(scene), query: { sort: '-type', limit: 1 } }),
    shows: () => [{ type: 'sharedstorage_upload_batch', plugin: 'ipfs' }],
    parameters: ofTransaction,
  },
  getTransactionStatus: {
    call: (scene) => scene.client.getTransactionStatus({ path: ofTransaction(scene) }),
    shows: ({ batch }) => ({
      status: 'Succeeded',
      details: expect.arrayContaining([
        expect.objectContaining({ type: 'Batch', id: batch.id, status: 'Succeeded' }),
        expect.objectContaining({ type: 'Operation', subtype: 'blockchain_pin_batch', status: 'Succeeded' }),
      ]),
    }),
    parameters: ofTransaction,
  },
  listTransactionBlockchainEvents: {
    call: (scene) =>
      scene.client.listTransactionBlockchainEvents({ path: ofTransaction(scene), query: { name: 'BatchPin' } }),
    shows: ({ batch }) => [{ namespace: 'svc_system', name: 'BatchPin', tx: { type: 'batch_pin', id: batch.tx.id } }],
    parameters: ofTransaction,
  },
  listOperations: {
    call: ({ client, operation, batch }) =>
      client.listOperations({ query: { id: operation.id, input: `@${batch.id}`, status: ['Failed', 'Succeeded'] } }),
    shows: ({ operation }) => [operation],
  },
  getOperation: {
    call: (scene) => scene.client.getOperation({ path: ofOperation(scene), query: { fetchstatus: true } }),
    shows: ({ operation }) => {
      const receipt = { transactionHash: expect.any(String), blockNumber: expect.any(Number) };
      const input: unknown = expect.stringContaining('"contexts":[');
      return { ...operation, input, detail: { lane: expect.stringContaining('key:'), nonce: 0, receipt } };
    },
    parameters: ofOperation,
  },
  retryOperation: {
    call: ({ client, failures }) => client.retryOperation({ path: { operationid: failures.operation() } }),
    shows: () => ({ type: 'dataexchange_send_batch', status: 'Initialized', plugin: 'mtls' }),
    parameters: ({ failures }) => ({ operationid: failures.operation() }),
  },
  getChartHistogram: {
    call: ({ client }) => client.getChartHistogram({ path: { collection: 'events' }, query: { buckets: 2 } }),
    shows: () => [
      { count: '0', types: [], isCapped: false },
      { types: expect.arrayContaining([expect.objectContaining({ type: 'message_confirmed' })]) },
    ],
    parameters: () => ({ collection: 'messages' }),
  },
};

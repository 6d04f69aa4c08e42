import { Type } from '@sinclair/typebox';
import { BatchProcessors, MultipartyStatus } from '../network/network-status.js';
import { Namespace } from '../network/namespace.js';
import { get } from '../route.js';
import { Flag } from '../scalar.js';

export const networkRoutes = {
  listNamespaces: get('/api/v1/namespaces', {
    summary: 'List the namespaces of this node',
    query: { includeinitializing: Flag },
    reply: Type.Array(Namespace),
  }),
  getNamespace: get('/api/v1/namespaces/{ns}', { summary: 'Get a namespace', reply: Namespace }),
  getMultipartyStatus: get('status/multiparty', {
    summary: 'Show whether organisation and node are registered, and with which contract',
    reply: MultipartyStatus,
  }),
  getBatchProcessors: get('status/batchmanager', {
    summary: 'Show the batch processors of this node, per key and kind',
    reply: BatchProcessors,
  }),
} as const;

import { expect } from 'vitest';
import type { networkRoutes } from '../../../src/wire/routes/network.js';
import type { statusRoutes } from '../../../src/wire/routes/status.js';
import type { Examples } from './example.js';

export const networkExamples: Examples<typeof networkRoutes & typeof statusRoutes> = {
  listNamespaces: {
    call: ({ client }) => client.listNamespaces({ query: { includeinitializing: true } }),
    shows: () => [{ name: 'default', networkName: 'default' }, { name: 'svc_system' }],
  },
  getNamespace: {
    call: ({ client }) => client.getNamespace({ path: { ns: 'default' } }),
    shows: ({ alice }) => ({ name: 'default', created: alice.created }),
  },
  getMultipartyStatus: {
    call: ({ client }) => client.getMultipartyStatus(),
    shows: ({ alice }) => ({ enabled: true, org: { status: 'registered', id: alice.id } }),
  },
  getBatchProcessors: {
    call: ({ client }) => client.getBatchProcessors(),
    shows: () => ({
      processors: [
        { dispatcher: 'pinned_broadcast', status: { blocked: false, totalErrors: 0, averageBatchMessages: 1 } },
        { dispatcher: 'pinned_private' },
        { dispatcher: 'pinned_private', status: { totalBatches: 20 } },
      ],
    }),
  },
  getStatus: {
    call: ({ client }) => client.getStatus(),
    shows: () => ({
      org: { name: 'alice', registered: true },
      multiparty: { enabled: true },
      parley: { keys: expect.arrayContaining([expect.stringMatching(/^0x[0-9a-f]{40}$/)]) },
    }),
  },
};

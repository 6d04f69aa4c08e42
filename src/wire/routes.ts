import { contractRoutes } from './routes/contracts.js';
import { dataRoutes } from './routes/data.js';
import { datatypeRoutes } from './routes/datatypes.js';
import { eventRoutes } from './routes/events.js';
import { identityRoutes } from './routes/identities.js';
import { listenerRoutes } from './routes/listeners.js';
import { messageRoutes } from './routes/messages.js';
import { networkRoutes } from './routes/network.js';
import { sequenceRoutes } from './routes/sequence.js';
import { statusRoutes } from './routes/status.js';
import { subscriptionRoutes } from './routes/subscriptions.js';
import { tokenRoutes } from './routes/tokens.js';
import { transactionRoutes } from './routes/transactions.js';
import { websocketRoutes } from './routes/websockets.js';

/** Every route of a node. How to add one: docs/architecture.md §10.6. */
export const routes = {
  ...messageRoutes,
  ...dataRoutes,
  ...datatypeRoutes,
  ...sequenceRoutes,
  ...eventRoutes,
  ...subscriptionRoutes,
  ...transactionRoutes,
  ...contractRoutes,
  ...listenerRoutes,
  ...tokenRoutes,
  ...identityRoutes,
  ...networkRoutes,
  ...statusRoutes,
  ...websocketRoutes,
} as const;

/**
 * Requests of FireFly's API that a node never supports: the path is known, and the refusal gives the reason
 * (docs/api.md §23).
 */
export const refusedPosts = [{ path: 'network/action', refusal: 'network_action' }] as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;

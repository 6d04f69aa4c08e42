import { dataRoutes } from './routes/data.js';
import { datatypeRoutes } from './routes/datatypes.js';
import { eventRoutes } from './routes/events.js';
import { identityRoutes } from './routes/identities.js';
import { messageRoutes } from './routes/messages.js';
import { networkRoutes } from './routes/network.js';
import { sequenceRoutes } from './routes/sequence.js';
import { statusRoutes } from './routes/status.js';
import { subscriptionRoutes } from './routes/subscriptions.js';
import { transactionRoutes } from './routes/transactions.js';

/**
 * Every route of a node. To add one: a row in a family under `routes/`, a handler of the same name under
 * `node/handlers/`, an example in `test/routes.test.ts`; the compiler and that test name what is missing.
 */
export const routes = {
  ...messageRoutes,
  ...dataRoutes,
  ...datatypeRoutes,
  ...sequenceRoutes,
  ...eventRoutes,
  ...subscriptionRoutes,
  ...transactionRoutes,
  ...identityRoutes,
  ...networkRoutes,
  ...statusRoutes,
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;

import { messageRoutes } from './routes/messages.js';
import { statusRoutes } from './routes/status.js';

/**
 * Every route of a node. To add one: a row in a family under `routes/`, a handler of the same name under
 * `node/handlers/`, an example in `test/routes.test.ts`; the compiler and that test name what is missing.
 */
export const routes = { ...messageRoutes, ...statusRoutes } as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;

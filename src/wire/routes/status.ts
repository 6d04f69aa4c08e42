import { get } from '../route.js';
import { Status } from '../network/status.js';

export const statusRoutes = {
  getStatus: get('status', {
    summary: 'Show the status of this node: identity, connections, and what waits',
    reply: Status,
  }),
} as const;

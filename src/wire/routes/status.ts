import { get } from '../route.js';
import { Status } from '../network/status.js';

export const statusRoutes = {
  getStatus: get('status', {
    summary: 'How this node is: who it speaks for, what it is connected to, what waits',
    reply: Status,
  }),
} as const;

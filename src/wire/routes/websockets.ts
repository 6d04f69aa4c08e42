import { get } from '../route.js';
import { Websockets } from '../events/websocket.js';

export const websocketRoutes = {
  getWebsockets: get('websockets', {
    summary: 'List the open sockets of a namespace, with their subscriptions',
    reply: Websockets,
  }),
} as const;

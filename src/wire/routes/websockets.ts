import { get } from '../route.js';
import { Websockets } from '../events/websocket.js';

export const websocketRoutes = {
  getWebsockets: get('websockets', {
    summary: 'The sockets that are open for a namespace, with their subscriptions',
    reply: Websockets,
  }),
} as const;

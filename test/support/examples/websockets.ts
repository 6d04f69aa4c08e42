import { expect } from 'vitest';
import { compact } from '../../../src/wire/json/json-reader.js';
import type { websocketRoutes } from '../../../src/wire/routes/websockets.js';
import type { Examples } from './example.js';

export const websocketExamples: Examples<typeof websocketRoutes> = {
  getWebsockets: {
    call: ({ client }) => client.getWebsockets(),
    shows: () => ({
      enabled: true,
      connections: [
        {
          remoteAddress: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
          subscriptions: [
            {
              ephemeral: true,
              namespace: 'default',
              filter: compact('{"events":"^message_rejected$"}'),
              active: true,
            },
          ],
        },
      ],
    }),
  },
};

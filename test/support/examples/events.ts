import type { eventRoutes } from '../../../src/wire/routes/events.js';
import type { Examples } from './example.js';

export const eventExamples: Examples<typeof eventRoutes> = {
  listEvents: {
    call: ({ client, message }) =>
      client.listEvents({ query: { reference: message.header.id, topic: 'default', fetchreferences: true } }),
    shows: ({ message }) => [{ reference: message.header.id, topic: 'default', message: { state: 'confirmed' } }],
  },
  getEvent: {
    call: ({ client, event }) => client.getEvent({ path: { eventid: event.id } }),
    shows: ({ event }) => event,
    parameters: ({ event }) => ({ eventid: event.id }),
  },
};

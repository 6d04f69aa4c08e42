import { Event } from '../events/event-record.js';
import { get, list } from '../route.js';
import { Flag } from '../scalar.js';

export const eventRoutes = {
  listEvents: list('events', {
    from: 'events',
    summary: 'List events, newest first, with fetchreferences=true the records that they refer to',
    query: { fetchreferences: Flag, fetchreference: Flag },
    reply: Event,
  }),
  getEvent: get('events/{eventid}', {
    from: 'events',
    by: { id: 'eventid' },
    summary: 'Get an event, with fetchreference=true the record that it refers to',
    query: { fetchreference: Flag },
    reply: Event,
  }),
} as const;

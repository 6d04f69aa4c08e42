import type { Plant } from '../plant.js';

const window = 'src/domain/events/window.js';
const durable = 'src/pipeline/deliver/durable.js';
const durableSubscriptions = 'src/pipeline/deliver/durable-subscriptions.js';
const position = 'lowestMissing(events, seen + 1) - 1;';

/** Bugs of what applications are told, and how often. */
export const deliveryPlants: readonly Plant[] = [
  {
    id: 'P15',
    bug: 'the position is one too far',
    patches: [{ file: window, find: 'return sequence;', replace: 'return sequence + 1;' }],
  },
  {
    id: 'P16',
    bug: 'the position is the highest that is acknowledged',
    patches: [
      {
        file: window,
        find: position,
        replace: `{
          const done = [...events].filter(([, isAcknowledged]) => isAcknowledged);
          return done.length === events.size ? seen : (done.at(-1)?.[0] ?? saved);
        };`,
      },
    ],
  },
  {
    id: 'P17',
    bug: 'the position is what was sent, whatever came of it',
    patches: [{ file: window, find: position, replace: 'seen;' }],
  },
  {
    id: 'P18',
    bug: 'a subscription to what is newest begins when somebody connects',
    patches: [
      {
        file: durableSubscriptions,
        find: 'settle(place, row);',
        replace: `{
            const newest = await tools.eventLog.newest();
            const isNew = row?.options.includes('"firstEventGiven":"newest"') && place.durable === undefined;
            settle(place, isNew ? { ...row, cursor: Math.max(row.cursor, newest) } : row);
          }`,
      },
    ],
  },
  {
    id: 'P20',
    bug: 'an acknowledgement counts on whatever connection it comes',
    patches: [
      {
        file: durable,
        find: 'if (connections[0] !== connection || !window.acknowledge(eventId))',
        replace: 'if (!window.acknowledge(eventId))',
      },
    ],
  },
  {
    id: 'P22',
    bug: 'the position stays at events that do not match',
    patches: [
      { file: 'src/pipeline/deliver/queue.js', find: 'window.pass(search.end); onPass();', replace: 'onPass();' },
      { file: 'src/pipeline/deliver/queue.js', find: 'if (search.count === 0) window.pass(search.end);', replace: '' },
    ],
  },
  {
    id: 'Q30',
    bug: 'what a connection has not acknowledged when it ends is not sent again',
    patches: [
      {
        file: window,
        find: 'repeats = [...events].filter(([, isAcknowledged]) => !isAcknowledged).map(([sequence]) => sequence);',
        replace: 'repeats = [];',
      },
    ],
  },
  {
    id: 'Q31',
    bug: 'what is acknowledged makes room before it is on disk',
    patches: [{ file: window, find: '(repeats.length > 0 ? flights.size : events.size)', replace: 'flights.size' }],
  },
  {
    id: 'Q32',
    bug: 'events go to all who are connected',
    patches: [{ file: durable, find: 'target: () => connections[0],', replace: 'target: () => connections.at(-1),' }],
  },
  {
    id: 'Q33',
    bug: 'only a subscription that is created begins: one that is removed goes on',
    patches: [{ file: durableSubscriptions, find: 'track(durable.end());', replace: '' }],
  },
];

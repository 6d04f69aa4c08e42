import { expect, it } from 'vitest';
import { createEventLog } from '../../../../../src/pipeline/deliver/events/event-log.js';
import type { Database } from '../../../../../src/ports/database.js';
import { aDelivery, to } from '../a-delivery.js';

/** Creates an event log on a database that counts the reads of each table, and the events read. */
function aLog() {
  const { database, addEvents } = aDelivery();
  const reads = new Map<string, number>();
  let eventsRead = 0;
  const count = (table: string) => reads.set(table, (reads.get(table) ?? 0) + 1);
  const counted: Database = {
    ...database,
    first(table, where, by) {
      count(table);
      return database.first(table, where, by);
    },
    last(table, where, by) {
      count(table);
      return database.last(table, where, by);
    },
    async rows(table, where, options) {
      count(table);
      const rows = await database.rows(table, where, options);
      if (table === 'events') eventsRead += rows.length;
      return rows;
    },
    texts(table, shape, key, rows) {
      count(table);
      return database.texts(table, shape, key, rows);
    },
  };
  return {
    eventLog: createEventLog(counted),
    addEvents,
    reads: (table: string) => reads.get(table) ?? 0,
    eventsRead: () => eventsRead,
  };
}

it('the event log returns the events after a sequence page by page, and nothing at its end', async () => {
  const { eventLog, addEvents } = aLog();
  await addEvents(...to(300));
  const first = await eventLog.after(0);
  expect(first.end).toBe(256);
  expect(first.events.map(({ sequence }) => sequence)).toEqual(to(256));
  const second = await eventLog.after(first.end);
  expect(second.end).toBe(300);
  expect(second.events).toHaveLength(44);
  expect(await eventLog.after(300)).toEqual({ events: [], end: 300 });
  expect(await eventLog.newest()).toBe(300);
});

it('the event log returns new events at its end', async () => {
  const { eventLog, addEvents } = aLog();
  expect(await eventLog.after(0)).toEqual({ events: [], end: 0 });
  await addEvents(1);
  expect((await eventLog.after(0)).end).toBe(1);
  await addEvents(2, 3);
  expect((await eventLog.after(1)).events.map(({ sequence }) => sequence)).toEqual([2, 3]);
});

it('the event log reads only its end if many events were added since the last read', async () => {
  const { eventLog, addEvents, eventsRead } = aLog();
  await addEvents(1);
  expect(await eventLog.newest()).toBe(1);
  await addEvents(...to(1_200).slice(1));
  expect(await eventLog.newest()).toBe(1_200);
  expect(eventsRead()).toBeLessThan(800);
  expect((await eventLog.after(600)).events[0]?.sequence).toBe(601);
});

it('the event log is read once for concurrent calls', async () => {
  const { eventLog, addEvents, reads } = aLog();
  await addEvents(...to(10));
  await eventLog.newest();
  await addEvents(11);
  const before = reads('events');
  const answers = await Promise.all(to(50).map(() => eventLog.after(10)));
  expect(answers.map(({ events }) => events.length)).toEqual(to(50).map(() => 1));
  expect(reads('events')).toBe(before + 1);
  const loaded = await Promise.all(to(50).map(() => eventLog.load([9, 10, 11], 3)));
  expect(loaded.map(({ length }) => length)).toEqual(to(50).map(() => 3));
  expect(reads('messages')).toBe(1);
});

it('the event log renders an event once', async () => {
  const { eventLog, addEvents } = aLog();
  await addEvents(1);
  await eventLog.newest();
  const [first] = await eventLog.load([1], 1);
  const [second] = await eventLog.load([1], 1);
  expect(second).toBe(first);
});

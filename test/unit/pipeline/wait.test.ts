import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { createBus } from '../../../src/pipeline/bus.js';
import { createEventLog } from '../../../src/pipeline/deliver/events/event-log.js';
import { createWaiting, type Waiting } from '../../../src/pipeline/wait.js';
import type { EventRow } from '../../../src/ports/tables/tables.js';
import { codeOfAsync } from '../../support/codes.js';
import { uuid } from '../../support/fixtures.js';

const opened: { readonly waiting: Waiting; readonly failures: readonly Error[] }[] = [];
afterEach(async () => {
  for (const { waiting, failures } of opened.splice(0)) {
    await waiting.stop();
    expect(failures).toEqual([]);
  }
});

function aWaiting() {
  const database = createMemoryDatabase();
  const bus = createBus();
  const failures: Error[] = [];
  const waiting = createWaiting({
    eventLog: createEventLog(database),
    bus,
    clock: createManualClock(),
    log: createSilentLog(),
    onDefect: (error) => failures.push(error),
  });
  opened.push({ waiting, failures });
  let events = 0;
  /** Stores an event that refers to the record of this number. */
  async function addEvent(number: number): Promise<void> {
    const [topic, topics, created] = ['t', ['t'], '2026-01-15T10:00:00.000Z'];
    const subject = {
      namespace: 'default',
      type: 'message_confirmed',
      reference: uuid(number),
      referenceHash: '',
    } as const;
    const message = { author: null, group: null, tag: null, txtype: null, chainName: null, listener: null };
    const id = uuid((events += 1) + 1_000);
    const event = { ...subject, ...message, id, correlator: null, tx: null, topic, topics, created };
    await database.transaction((unit) => unit.insert('events', [event]));
    bus.ring('events');
  }
  return { waiting, addEvent };
}

const about = (number: number) => (event: EventRow) => event.reference === uuid(number);
const neverAborted = () => new AbortController().signal;

describe('a watch on the events', () => {
  it('receives events from its opening on, also those from before the call of next', async () => {
    const { waiting, addEvent } = aWaiting();
    const watch = await waiting.open();
    await addEvent(1);
    await addEvent(2);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await watch.next(about(1), neverAborted())).reference).toBe(uuid(1));
    expect((await watch.next(about(2), neverAborted())).reference).toBe(uuid(2));
    const later = watch.next(about(3), neverAborted());
    await addEvent(3);
    expect((await later).reference).toBe(uuid(3));
  });

  it('receives no event from before its opening, even if an earlier watch still waits for it', async () => {
    const { waiting, addEvent } = aWaiting();
    const first = await waiting.open();
    await addEvent(1);
    const second = await waiting.open();
    const received = second.next(() => true, neverAborted());
    expect((await first.next(about(1), neverAborted())).sequence).toBe(1);
    await addEvent(2);
    expect((await received).sequence).toBe(2);
  });

  it('receives each of 1,200 events in one of 60 watches', async () => {
    const { waiting, addEvent } = aWaiting();
    const watches = await Promise.all([...Array(60).keys()].map(() => waiting.open()));
    const received = watches.map((watch, i) => watch.next(about(i * 20), neverAborted()));
    for (let i = 0; i < 1_200; i++) await addEvent(i);
    expect((await Promise.all(received)).map(({ reference }) => reference)).toEqual(
      watches.map((_, i) => uuid(i * 20)),
    );
  });

  it('throws when its request is aborted, and when the node stops', async () => {
    const { waiting } = aWaiting();
    const over = new AbortController();
    const [first, second] = [await waiting.open(), await waiting.open()];
    const late = codeOfAsync(() => first.next(about(1), over.signal));
    const stopped = codeOfAsync(() => second.next(about(1), neverAborted()));
    over.abort();
    expect(await late).toBe('FF10260');
    await waiting.stop();
    expect(await stopped).toBe('PY1010');
    expect(await codeOfAsync(() => waiting.open())).toBe('PY1010');
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attachment } from '../../../../src/pipeline/deliver/delivery.js';
import { flush } from '../event-loop.js';
import { aConsumer, aDelivery, anAttachRequest, eventId } from './a-delivery.js';

interface Connection {
  readonly attachment: Attachment;
  readonly got: readonly number[];
  /** The events that it should have received. */
  readonly expected: number[];
}

/** A subscription by its definition: events are numbers, odd ones have the topic `odd`. */
function createModel() {
  const events: number[] = [];
  let [wantsAll, readAhead] = [true, 0];
  /**
   * Up to where the log was looked at, which is done only where there is room: what comes while the window is full is
   * judged later, by the filter of then. Up to where events were judged, and what of them is not sent yet.
   */
  let [known, judged, seen, cursor] = [0, 0, 0, 0];
  let found: number[] = [];
  /** Sent in this life and not yet behind the cursor. */
  let sent: number[] = [];
  let acknowledged = new Set<number>();

  const isMissing = (number: number): boolean => !acknowledged.has(number);
  const position = (): number => (sent.find(isMissing) ?? seen + 1) - 1;

  return {
    events,
    cursor: () => cursor,
    position,
    inFlightAt: ({ expected }: Connection) => expected.filter(isMissing),
    replace(toAll: boolean, toReadAhead: number) {
      [wantsAll, readAhead, found, judged] = [toAll, toReadAhead, [], seen];
    },
    acknowledge(number: number) {
      acknowledged.add(number);
      // Events behind it that do not match are stored with the next position.
      const missing = sent.find(isMissing) ?? Infinity;
      cursor = sent.filter((other) => other < missing).at(-1) ?? cursor;
      sent = sent.filter((other) => other > cursor);
    },
    /** The next life begins where the row says. */
    crash(stored: number) {
      [sent, found, acknowledged] = [[], [], new Set()];
      [known, judged, seen, cursor] = [0, stored, stored, stored];
    },
    /** Hands over to the active connection all that there is room for. */
    serve(connection: Connection | undefined) {
      if (connection === undefined) return;
      const { expected } = connection;
      const repeats = sent.filter((number) => isMissing(number) && !expected.includes(number));
      while (repeats.length > 0 && expected.filter(isMissing).length <= readAhead)
        expected.push(...repeats.splice(0, 1));
      while (repeats.length === 0 && sent.length <= readAhead) {
        while (found.length === 0 && judged < events.length) {
          if (judged >= known) known = events.length;
          found = events.slice(judged, known).filter((number) => wantsAll || number % 2 === 1);
          judged = known;
        }
        const [next] = found.splice(0, 1);
        if (next !== undefined) [seen] = [next, sent.push(next), expected.push(next)];
        if (found.length === 0) seen = judged;
        if (next === undefined) return;
      }
    },
  };
}

/** One byte is one move: the upper bits say which, the lower ones how. */
async function play(readAhead: number, moves: Uint8Array): Promise<void> {
  const fixture = aDelivery();
  let { delivery } = fixture;
  const model = createModel();
  model.replace(true, readAhead);
  await fixture.addSubscription({ options: { readAhead } });
  let connections: Connection[] = [];

  async function connect(): Promise<void> {
    const { got, subscriber } = aConsumer();
    const attachment = await delivery.attach(anAttachRequest(subscriber));
    connections.push({ attachment, got, expected: [] });
  }

  async function cursorNow(): Promise<number> {
    const [row] = await fixture.subscriptions();
    return row?.cursor ?? Number.NaN;
  }

  async function settle(): Promise<void> {
    await flush();
    await flush();
    model.serve(connections[0]);
  }

  async function insert(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const number = model.events.length + 1;
      model.events.push(number);
      await fixture.addEvent({ number, topics: [number % 2 === 0 ? 'even' : 'odd'] });
      await settle();
    }
  }

  async function move(kind: number, amount: number): Promise<void> {
    const [active] = connections;
    if (kind < 5) await insert(1 + (amount & 3));
    else if (kind < 10 && active !== undefined) {
      const inFlight = model.inFlightAt(active);
      const number = inFlight[amount % Math.max(inFlight.length, 1)];
      expect(active.attachment.acknowledge(number === undefined ? eventId(0) : eventId(number))).toBe(
        number !== undefined,
      );
      if (number !== undefined) model.acknowledge(number);
    } else if (kind < 12) await connect();
    else if (kind < 13) await connections.shift()?.attachment.close();
    else if (kind < 14) {
      const toAll = amount < 8;
      await fixture.replaceSubscription({ filter: toAll ? {} : { topic: 'odd' }, options: { readAhead: amount & 3 } });
      model.replace(toAll, amount & 3);
    } else if (kind < 15) {
      const stored = await cursorNow();
      expect(stored).toBeLessThanOrEqual(model.position());
      delivery = fixture.restart();
      model.crash(stored);
      connections = [];
    }
  }

  for (const byte of moves) {
    await move(byte >> 4, byte & 15);
    await settle();
    for (const { got, expected } of connections) expect(got).toEqual(expected);
    expect(await cursorNow()).toBeGreaterThanOrEqual(model.cursor());
  }
  await delivery.stop();
  expect(fixture.defects).toEqual([]);
}

test('hands over what its definition says, whatever is acknowledged, connected, replaced and crashed', async () => {
  const moves = fc.uint8Array({ minLength: 5, maxLength: 30 });
  // A window that was made smaller while more was in flight, and an acknowledgement out of order behind a takeover.
  const shrunk: [number, Uint8Array] = [0, Uint8Array.from([218, 13, 80, 70, 209, 160, 192, 83, 0, 0, 0, 0])];
  // The filter is replaced twice while the window is full and an event waits that nobody has looked at.
  const unread: [number, Uint8Array] = [0, Uint8Array.from([8, 209, 27, 80, 0, 219, 0, 210, 0, 80, 83])];
  await fc.assert(fc.asyncProperty(fc.nat(3), moves, play), { numRuns: 200, examples: [shrunk, unread] });
}, 120_000);

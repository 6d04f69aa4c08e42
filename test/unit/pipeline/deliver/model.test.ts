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

/** Creates a model of a subscription. Events are numbers; odd ones have the topic `odd`. */
function createModel() {
  const events: number[] = [];
  let [wantsAll, readAhead] = [true, 0];
  /**
   * `known` is the end of the log at its last read; it is read only while the window has room, so later events are
   * filtered later. Events up to `judged` are filtered, and `found` are those that match and are not sent yet. Events
   * up to `seen` are sent or do not match.
   */
  let [known, judged, seen, cursor] = [0, 0, 0, 0];
  let found: number[] = [];
  /** Sent since the last crash, and above the cursor. */
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
      // A lower bound: the stored position may also be after events that do not match.
      const missing = sent.find(isMissing) ?? Infinity;
      cursor = sent.filter((other) => other < missing).at(-1) ?? cursor;
      sent = sent.filter((other) => other > cursor);
    },
    /** Restarts at the stored cursor. */
    crash(stored: number) {
      [sent, found, acknowledged] = [[], [], new Set()];
      [known, judged, seen, cursor] = [0, stored, stored, stored];
    },
    /** Sends to the active connection all events that fit into the window. */
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

/** Each byte is one move: the upper four bits select it, the lower ones are its argument. */
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

test('a subscription delivers the events of its model, for any acknowledgements and crashes', async () => {
  const moves = fc.uint8Array({ minLength: 5, maxLength: 30 });
  // A window that shrinks while more events are in flight, and an acknowledgement out of order after a takeover.
  const shrunk: [number, Uint8Array] = [0, Uint8Array.from([218, 13, 80, 70, 209, 160, 192, 83, 0, 0, 0, 0])];
  // The filter is replaced twice while the window is full and an event is not read yet.
  const unread: [number, Uint8Array] = [0, Uint8Array.from([8, 209, 27, 80, 0, 219, 0, 210, 0, 80, 83])];
  await fc.assert(fc.asyncProperty(fc.nat(3), moves, play), { numRuns: 200, examples: [shrunk, unread] });
}, 120_000);

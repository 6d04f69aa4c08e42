import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWindow, type Window, type WindowOptions } from '../../../../src/domain/events/window.js';

function aWindow(changes: Partial<WindowOptions> = {}): Window {
  return createWindow({ readAhead: 0, position: 0, isDurable: true, ...changes });
}

/** Sends events of these sequences, each with an id like `e7`. */
function send(window: Window, ...sequences: readonly number[]): void {
  for (const sequence of sequences) window.send(`e${sequence}`, [sequence]);
}

describe('a window', () => {
  test('of read-ahead n has room for n + 1 events', () => {
    const window = aWindow({ readAhead: 1 });
    expect(window.room).toBe(2);
    send(window, 1, 2);
    expect(window.room).toBe(0);
  });

  test('applies an acknowledgement without an id to the oldest in flight', () => {
    const window = aWindow({ readAhead: 5 });
    send(window, 1, 2);
    expect(window.acknowledge()).toBe(true);
    expect(window.position).toBe(1);
    expect(window.inFlight).toBe(1);
  });

  test('ignores a repeated acknowledgement and reports one that matches nothing', () => {
    const window = aWindow();
    send(window, 1);
    expect(window.acknowledge('e2')).toBe(false);
    expect(window.acknowledge('e1')).toBe(true);
    expect(window.acknowledge('e1')).toBe(true);
    expect(window.acknowledge()).toBe(false);
  });

  test('remembers the last thousand acknowledgements', () => {
    const window = aWindow();
    for (let sequence = 1; sequence <= 1_001; sequence++) {
      send(window, sequence);
      window.acknowledge();
      window.save(window.position);
    }
    expect(window.acknowledge('e1')).toBe(false);
    expect(window.acknowledge('e2')).toBe(true);
  });

  test('has its position below the lowest unacknowledged event, whatever is above it', () => {
    const window = aWindow({ readAhead: 5, position: 10 });
    send(window, 12, 15, 17);
    window.pass(20);
    window.acknowledge('e15');
    window.acknowledge('e17');
    expect(window.position).toBe(11);
    window.acknowledge('e12');
    expect(window.position).toBe(20);
  });

  test('is settled up to what a crash would repeat, including events that do not match and are not stored', () => {
    const window = aWindow({ readAhead: 5, position: 10 });
    window.pass(14);
    expect(window.settled).toBe(14);
    send(window, 15);
    window.pass(20);
    expect(window.settled).toBe(14);
    window.acknowledge('e15');
    expect(window.settled).toBe(14);
    window.save(15);
    expect(window.settled).toBe(20);
    expect(window.saved).toBe(15);
  });

  test('moves over events that do not match', () => {
    const window = aWindow({ position: 3 });
    window.pass(200);
    expect(window.position).toBe(200);
  });

  test('has room once an acknowledgement is on disk, not before', () => {
    const window = aWindow({ readAhead: 1 });
    send(window, 1, 2);
    window.acknowledge('e1');
    expect(window.room).toBe(0);
    window.save(window.position);
    expect(window.room).toBe(1);
  });

  test('has no room for acknowledgements above a missing one, since a crash would repeat them', () => {
    const window = aWindow({ readAhead: 1 });
    send(window, 1, 2);
    window.acknowledge('e2');
    window.save(window.position);
    expect(window.room).toBe(0);
  });

  test('of a subscription that is not durable has room at once, in any order', () => {
    const window = aWindow({ readAhead: 1, isDurable: false });
    send(window, 1, 2);
    window.acknowledge('e2');
    expect(window.room).toBe(1);
  });

  test('sends only unacknowledged events to another connection, lowest first', () => {
    const window = aWindow({ readAhead: 3 });
    send(window, 1, 2, 3, 4);
    window.acknowledge('e1');
    window.acknowledge('e3');
    window.disconnect();
    expect(window.nextRepeats(10)).toEqual([2, 4]);
    expect(window.acknowledge('e2')).toBe(false);
    send(window, 2);
    expect(window.nextRepeats(10)).toEqual([4]);
    expect(window.acknowledge('e2')).toBe(true);
    expect(window.position).toBe(3);
  });

  test('repeats no more at once than there is room for', () => {
    const window = aWindow({ readAhead: 3 });
    send(window, 1, 2, 3, 4);
    window.disconnect();
    window.resize(0);
    expect(window.room).toBe(1);
    send(window, 1);
    expect(window.room).toBe(0);
  });

  test('treats a batch as one', () => {
    const window = aWindow({ readAhead: 3 });
    window.send('batch', [4, 5, 9]);
    expect(window.inFlight).toBe(3);
    expect(window.acknowledge('batch')).toBe(true);
    expect(window.position).toBe(9);
  });

  test('refuses to send out of order, and to store more than is acknowledged', () => {
    const window = aWindow({ readAhead: 9 });
    send(window, 5);
    expect(() => send(window, 5)).toThrow();
    expect(() => window.save(5)).toThrow();
    window.disconnect();
    expect(() => send(window, 6)).toThrow();
  });
});

/** The model's state of an event sent in this life, directly from the definition of subscriptions. */
interface SentEvent {
  readonly sequence: number;
  state: 'in flight' | 'acknowledged' | 'again';
  /** The id by which it is acknowledged. */
  id: string;
}

/** A model of a subscription and everything that may happen to it, written for clarity. */
function createModel(window: Window, readAheadAtFirst: number) {
  let readAhead = readAheadAtFirst;
  let sent: SentEvent[] = [];
  let [seen, saved, names] = [0, 0, 0];
  const acknowledged = new Set<string>();

  const inState = (state: SentEvent['state']) => sent.filter((event) => event.state === state);
  const position = (): number => {
    const open = sent.filter(({ state }) => state !== 'acknowledged').map(({ sequence }) => sequence);
    return open.length === 0 ? seen : Math.min(...open) - 1;
  };
  const settled = (): number => Math.min(seen + 1, ...sent.map(({ sequence }) => sequence)) - 1;
  const room = (): number => {
    const taken = inState('again').length > 0 ? inState('in flight') : sent.filter(({ sequence }) => sequence > saved);
    return Math.max(0, readAhead + 1 - taken.length);
  };

  return {
    send(events: number, gap: number) {
      const again = inState('again');
      const count = Math.min(events, room(), again.length > 0 ? again.length : events);
      if (count === 0) return;
      const id = `h${++names}`;
      const sequences: number[] = [];
      for (let index = 0; index < count; index++) {
        const event = again[index] ?? { sequence: (seen += 1 + gap), state: 'again', id };
        if (again[index] === undefined) sent.push(event);
        event.state = 'in flight';
        event.id = id;
        sequences.push(event.sequence);
      }
      window.send(id, sequences);
    },
    pass(gap: number) {
      seen += gap;
      window.pass(seen);
    },
    acknowledge(number: number) {
      const id = number === 0 ? undefined : `h${names - number}`;
      const meant = id ?? inState('in flight')[0]?.id;
      const flying = sent.filter((event) => event.state === 'in flight' && event.id === meant);
      for (const event of flying) event.state = 'acknowledged';
      const isKnown = flying.length > 0 || (id !== undefined && acknowledged.has(id));
      if (meant !== undefined && flying.length > 0) acknowledged.add(meant);
      assert.equal(window.acknowledge(id), isKnown);
    },
    disconnect() {
      for (const event of sent) if (event.state === 'in flight') event.state = 'again';
      window.disconnect();
    },
    save() {
      saved = position();
      window.save(window.position);
      sent = sent.filter(({ sequence }) => sequence > saved);
    },
    crash() {
      // The next life has only the position on disk.
      [sent, seen] = [[], saved];
      acknowledged.clear();
      window = createWindow({ readAhead, position: saved, isDurable: true });
    },
    resize(to: number) {
      readAhead = to;
      window.resize(to);
    },
    check() {
      assert.equal(window.position, position());
      assert.equal(window.saved, saved);
      assert.equal(window.seen, seen);
      assert.equal(window.room, room());
      assert.equal(window.inFlight, inState('in flight').length);
      const again = inState('again').map(({ sequence }) => sequence);
      assert.deepEqual(window.nextRepeats(again.length + 1), again);
      assert.equal(window.repeats, again.length);
      assert.ok(saved <= position() && position() <= seen);
      assert.equal(window.settled, settled());
    },
  };
}

type Model = ReturnType<typeof createModel>;

/** Makes the move of one byte: the upper bits select it, the lower ones are its parameter. */
function move(model: Model, byte: number): void {
  const [kind, amount] = [byte >> 4, byte & 15];
  if (kind < 5) model.send(1, amount >> 2);
  else if (kind < 6) model.send(1 + amount, 0);
  else if (kind < 10) model.acknowledge(amount >> 1);
  else if (kind < 11) model.pass(amount);
  else if (kind < 13) model.save();
  else if (kind < 14) model.disconnect();
  else if (kind < 15) model.resize(amount >> 1);
  else if (amount < 4) model.crash();
}

const runs = 100_000;

test('a window agrees with its definition, in any order of moves', () => {
  fc.assert(
    fc.property(fc.nat(4), fc.uint8Array({ maxLength: 40 }), (readAhead, moves) => {
      const model = createModel(createWindow({ readAhead, position: 0, isDurable: true }), readAhead);
      for (const byte of moves) {
        move(model, byte);
        model.check();
      }
    }),
    { numRuns: runs },
  );
}, 120_000);

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWindow } from '../../../src/domain/window.js';

test('read-ahead n lets n + 1 events fly', () => {
  const window = createWindow(1);
  expect(window.hasRoom).toBe(true);
  window.sent('a');
  expect(window.hasRoom).toBe(true);
  window.sent('b');
  expect(window.hasRoom).toBe(false);
});

test('an acknowledgement without an id is for the oldest', () => {
  const window = createWindow(5);
  window.sent('a');
  window.sent('b');
  expect(window.acknowledge()).toBe(true);
  expect(window.inFlight).toEqual(['b']);
});

test('a repeated acknowledgement is ignored, one that matches nothing is told', () => {
  const window = createWindow(0);
  window.sent('a');
  expect(window.acknowledge('b')).toBe(false);
  expect(window.acknowledge('a')).toBe(true);
  expect(window.acknowledge('a')).toBe(true);
  expect(window.acknowledge()).toBe(false);
});

test('in any order of sending and acknowledging, what is in flight is what was sent and not acknowledged', () => {
  const move = fc.oneof(fc.constant('send' as const), fc.nat(20));
  fc.assert(
    fc.property(fc.nat(5), fc.array(move, { maxLength: 60 }), (readAhead, moves) => {
      const window = createWindow(readAhead);
      let model: string[] = [];
      let next = 0;
      for (const step of moves) {
        expect(window.hasRoom).toBe(model.length <= readAhead);
        if (step === 'send') {
          if (!window.hasRoom) continue;
          window.sent(`${next}`);
          model.push(`${next++}`);
        } else {
          const known = step < next;
          expect(window.acknowledge(`${step}`)).toBe(known);
          model = model.filter((id) => id !== `${step}`);
        }
        expect(window.inFlight).toEqual(model);
      }
    }),
  );
});

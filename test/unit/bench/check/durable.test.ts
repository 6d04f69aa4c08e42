import { describe, expect, it } from 'vitest';
import { checkDurable } from '../../../../src/bench/check/durable.js';
import type { DurableRecord, DurableStep, Evidence } from '../../../../src/bench/check/recording.js';

const listed = Array.from({ length: 8 }, (_, index) => ({ id: `e${index}`, sequence: 10 + index * 3 }));

/** `+3`: event 3 was delivered; `-3`: it was acknowledged. */
function stepsOf(text: string): DurableStep[] {
  return text.split(' ').map((word) => ({
    is: word.startsWith('+') ? 'delivered' : 'acknowledged',
    id: `e${word.slice(1)}`,
  }));
}

function faultsOf(connections: readonly string[], changes: Partial<DurableRecord> = {}): readonly string[] {
  const evidence: Evidence = { count: 0, faults: [] };
  checkDurable('bob', { readAhead: 1, listed, connections: connections.map(stepsOf), ...changes }, evidence);
  return evidence.faults;
}

const whole = '+0 +1 -0 +2 -1 +3 -2 -3 +4 +5 -4 -5 +6 -6 +7 -7';

describe('the record of a durable subscription', () => {
  it('is good if every event was delivered in order, within a window, and acknowledged', () => {
    const evidence: Evidence = { count: 0, faults: [] };
    checkDurable('bob', { readAhead: 1, listed, connections: [stepsOf(whole)], offset: 31 }, evidence);
    expect(evidence).toEqual({ count: 16, faults: [] });
  });

  it('is good if another connection begins at the lowest unacknowledged event, or repeats a window before it', () => {
    expect(faultsOf(['+0 -0 +1 +2 -2', '+1 -1 +3 -3 +4 -4 +5 -5 +6 -6 +7 -7'])).toEqual([]);
    expect(faultsOf(['+0 -0 +1 -1 +2 -2', '+1 -1 +2 -2 +3 -3 +4 -4 +5 -5 +6 -6 +7 -7'])).toEqual([]);
  });

  it.each([
    ['an event never came', [whole.replace(' +7 -7', '')]],
    ['an event was left out in between', [whole.replace('+3 ', '').replace('-3 ', '')]],
    ['two events came in the wrong order', ['+1 +0 -0 -1 +2 -2 +3 -3 +4 -4 +5 -5 +6 -6 +7 -7']],
    ['an event came twice on one connection', [whole.replace('+2', '+2 +2')]],
    ['an event came that is not listed', [`${whole} +9`]],
    ['more was in flight than the window', ['+0 +1 +2 -0 -1 -2 +3 -3 +4 -4 +5 -5 +6 -6 +7 -7']],
    ['a connection passed what was never acknowledged', ['+0 -0 +1 +2', '+3 -3 +4 -4 +5 -5 +6 -6 +7 -7']],
    ['what was acknowledged long ago came again', ['+0 -0 +1 -1 +2 -2 +3 -3', '+0 -0 +4 -4 +5 -5 +6 -6 +7 -7']],
  ])('is refused when %s', (_, connections) => {
    expect(faultsOf(connections).length).toBeGreaterThan(0);
  });

  it("is refused if the node's position is before an acknowledged event", () => {
    expect(faultsOf([whole], { offset: 30 })).toHaveLength(1);
  });
});

import { describe, expect, test } from 'vitest';
import { createSystemClock } from '../../../../src/adapters/clock/system.js';
import { createDisturbance } from '../../../../src/node/faults/disturbance.js';
import type { Fault } from '../../../../src/wire/network/faults.js';
import { aFault } from './a-fault.js';

const cut = aFault('cut', 'alice', 'bob');

describe('A connection with faults', () => {
  test('passes everything that no fault stops', async () => {
    await expect(aProgress().pass(() => [])).resolves.toBeUndefined();
  });

  test('refuses the first caller with the reason, and lets the others wait until the fault is cleared', async () => {
    const { pass } = aProgress();
    let faults: readonly Fault[] = [cut];
    await expect(pass(() => faults)).rejects.toThrow('The link alice ↔ bob is cut by a fault');
    let asked = 0;
    const waiting = pass(() => (asked++, faults));
    await expect.poll(() => asked).toBeGreaterThan(1);
    faults = [];
    await expect(waiting).resolves.toBeUndefined();
    const again = { ...cut, since: '2026-01-01T00:00:01.000Z' };
    await expect(pass(() => [again])).rejects.toThrow('is cut');
  });

  test('ends a wait whose signal is aborted', async () => {
    const { pass } = aProgress();
    await expect(pass(() => [cut])).rejects.toThrow();
    const gone = new AbortController();
    const waiting = pass(() => [cut], gone.signal);
    gone.abort(new Error('stopping'));
    await expect(waiting).rejects.toThrow('stopping');
  });

  test('waits for the duration of a delay, or until it is cleared', async () => {
    let asked = 0;
    await aProgress().pass(() => (asked++, [aFault('delay', 'alice', 'bob')]));
    expect(asked).toBe(3);
    let faults: readonly Fault[] = [aFault('delay', 'alice', 'bob', { delayMs: 3_600_000 })];
    const waiting = aProgress().pass(() => faults);
    faults = [];
    await expect(waiting).resolves.toBeUndefined();
  });

  test('aborts work in progress when it is cut, and does not when it is slow', async () => {
    const { during } = aProgress();
    let faults: readonly Fault[] = [aFault('delay', 'alice', 'bob')];
    let asked = 0;
    const work = (signal: AbortSignal) =>
      new Promise<string>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const running = during(() => (asked++, faults), undefined, work);
    await expect.poll(() => asked).toBeGreaterThan(1);
    faults = [cut];
    await expect(running).rejects.toThrow('is cut');
    await expect(
      during(
        () => [],
        undefined,
        () => Promise.resolve('done'),
      ),
    ).resolves.toBe('done');
  });
});

function aProgress() {
  return createDisturbance(createSystemClock(), (sentence) => new Error(sentence));
}

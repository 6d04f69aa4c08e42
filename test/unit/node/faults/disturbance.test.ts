import { describe, expect, test } from 'vitest';
import { createSystemClock } from '../../../../src/adapters/clock/system.js';
import { createDisturbance } from '../../../../src/node/faults/disturbance.js';
import type { Fault } from '../../../../src/wire/network/faults.js';
import { aFault } from './a-fault.js';

const cut = aFault('cut', 'alice', 'bob');

describe('A way that is disturbed', () => {
  test('lets pass what no fault stops', async () => {
    await expect(aProgress().pass(() => [])).resolves.toBeUndefined();
  });

  test('refuses the first with the reason, and lets the others wait until the fault is cleared', async () => {
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

  test('gives up a wait that nobody wants any more', async () => {
    const { pass } = aProgress();
    await pass(() => [cut]).catch(() => undefined);
    const gone = new AbortController();
    const waiting = pass(() => [cut], gone.signal);
    gone.abort(new Error('stopping'));
    await expect(waiting).rejects.toThrow('stopping');
  });

  test('holds up for as long as the delay says, and no longer than it is set', async () => {
    let asked = 0;
    await aProgress().pass(() => (asked++, [aFault('delay', 'alice', 'bob')]));
    expect(asked).toBe(3);
    let faults: readonly Fault[] = [aFault('delay', 'alice', 'bob', { delayMs: 3_600_000 })];
    const waiting = aProgress().pass(() => faults);
    faults = [];
    await expect(waiting).resolves.toBeUndefined();
  });

  test('breaks off what is under way when it is cut, and leaves alone what is slow', async () => {
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

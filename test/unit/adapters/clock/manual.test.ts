import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';

describe('createManualClock', () => {
  it('stands still until it is moved', async () => {
    const clock = createManualClock({ start: '2026-03-01T00:00:00.000Z' });
    expect(clock.now()).toBe('2026-03-01T00:00:00.000Z');
    await clock.advance(1_500);
    expect(clock.now()).toBe('2026-03-01T00:00:01.500Z');
    expect(clock.monotonicMs()).toBe(1_500);
  });

  it('wakes each sleeper at its time, including those that fall asleep during the advance', async () => {
    const clock = createManualClock();
    const wakings: number[] = [];
    const loop = async (): Promise<void> => {
      for (let round = 0; round < 3; round += 1) {
        await clock.sleep(100);
        wakings.push(clock.monotonicMs());
      }
    };
    const looping = loop();
    await clock.advance(1_000);
    await looping;
    expect(wakings).toEqual([100, 200, 300]);
  });

  it('does not wake those whose time has not come', async () => {
    const clock = createManualClock();
    let isAwake = false;
    const sleeping = clock.sleep(100).then(() => (isAwake = true));
    await clock.advance(99);
    expect(isAwake).toBe(false);
    await clock.advance(1);
    await sleeping;
  });

  it('jumps only in the time of day', async () => {
    const clock = createManualClock({ start: '2026-03-02T00:00:00.000Z' });
    clock.jump(-86_400_000);
    expect(clock.now()).toBe('2026-03-01T00:00:00.000Z');
    expect(clock.monotonicMs()).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { type IdleBrowser, whenIdle } from '../../../ui/src/shell/idle.js';

/** A browser that records the callbacks that it is given. */
function aBrowser() {
  const waiting = new Map<string, () => void>();
  const later: IdleBrowser = {
    setTimeout: (callback) => waiting.set('timer', callback).size,
    clearTimeout: () => void waiting.delete('timer'),
  };
  const idle: Partial<IdleBrowser> = {
    // Zero is a valid handle.
    requestIdleCallback: (callback) => waiting.set('idle', callback).size - 1,
    cancelIdleCallback: () => void waiting.delete('idle'),
  };
  return { waiting, later, idle };
}

describe('idle time of the browser', () => {
  it('is waited for with requestIdleCallback if the browser has it', () => {
    const { waiting, later, idle } = aBrowser();
    let calls = 0;
    const cancel = whenIdle(() => void (calls += 1), { ...later, ...idle });
    expect([...waiting.keys()]).toEqual(['idle']);
    waiting.get('idle')?.();
    expect(calls).toBe(1);
    cancel();
    expect(waiting.size).toBe(0);
  });

  it('is replaced by a timer in other browsers, such as Safari', () => {
    const { waiting, later } = aBrowser();
    let calls = 0;
    const cancel = whenIdle(() => void (calls += 1), later);
    waiting.get('timer')?.();
    expect(calls).toBe(1);
    cancel();
    expect(waiting.size).toBe(0);
  });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgressTimeout } from '../../../../src/supervisor/services/progress-timeout.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('ends when nothing has happened for its duration', () => {
  const progressTimeout = createProgressTimeout(100);
  vi.advanceTimersByTime(99);
  expect(progressTimeout.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(progressTimeout.signal.aborted).toBe(true);
});

test('restarts on every sign of progress', () => {
  const progressTimeout = createProgressTimeout(100);
  for (let times = 0; times < 5; times++) {
    vi.advanceTimersByTime(99);
    progressTimeout.restart();
  }
  expect(progressTimeout.signal.aborted).toBe(false);
  vi.advanceTimersByTime(100);
  expect(progressTimeout.signal.aborted).toBe(true);
});

test('never ends if it is 0 or was cancelled', () => {
  const forEver = createProgressTimeout(0);
  const ended = createProgressTimeout(100);
  ended.end();
  vi.advanceTimersByTime(1_000_000);
  expect([forEver.signal.aborted, ended.signal.aborted]).toEqual([false, false]);
});

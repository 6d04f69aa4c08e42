import { constants, PerformanceObserver } from 'node:perf_hooks';
import { Script } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectYoung } from '../../../src/http/collector.js';
import { releaseWhenIdle } from '../../../src/http/idle-memory.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** An entry of type `gc`, which the type declarations do not include. */
interface GcEntry {
  readonly detail: { readonly kind: number };
}

/** A process with the given usage in each of its intervals of two seconds. */
function createProcess() {
  let usedMs = 0;
  let collections = 0;
  const end = releaseWhenIdle({ processorMs: () => usedMs, collect: () => (collections += 1) });
  const use = (ms: number, intervals = 1): number => {
    for (let count = 0; count < intervals; count++) {
      usedMs += ms;
      vi.advanceTimersByTime(2_000);
    }
    return collections;
  };
  return { end, use };
}

test('young objects are collected ten times when a busy process has become idle, and again after the next work', () => {
  const { use, end } = createProcess();
  expect(use(1_000, 5)).toBe(0);
  expect(use(50, 4)).toBe(4);
  expect(use(50, 20)).toBe(10);
  expect(use(300)).toBe(10);
  expect(use(0, 20)).toBe(20);
  end();
});

test('a process with some work, or one that was never busy, is left alone', () => {
  const { use, end } = createProcess();
  expect(use(20, 30)).toBe(0);
  expect(use(199, 30)).toBe(0);
  expect(use(1_000)).toBe(0);
  expect(use(150, 30)).toBe(0);
  end();
  expect(use(0, 5)).toBe(0);
});

test('code that is cached after the process was told to collect can be used by the next', () => {
  const script = new Script('(() => 1)()');
  // The header: format, version, source and V8's flags, which must be the same for the cache to be accepted.
  const header = (): Buffer => script.createCachedData().subarray(0, 16);
  const before = header();
  collectYoung();
  expect(header()).toEqual(before);
});

test('the process can be told to collect its young objects', async () => {
  vi.useRealTimers();
  const kinds: unknown[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) kinds.push((entry as unknown as GcEntry).detail.kind);
  });
  observer.observe({ entryTypes: ['gc'] });
  collectYoung();
  await expect.poll(() => kinds).toContain(constants.NODE_PERFORMANCE_GC_MINOR);
  observer.disconnect();
});

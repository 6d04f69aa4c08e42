import type { Thread } from './open-thread.js';

/** Maximum factor on the limit for time in which the machine runs other programs. */
const maxFactor = 4;

/**
 * Calls back when a thread has worked for this long. If the system provides processor times, time in which it runs
 * other threads does not count, up to four times the limit: a judgement must not be given up because the machine is
 * busy. Returns the function that ends the limit.
 */
export function startLimit(thread: Pick<Thread, 'processorMs'>, limitMs: number, onOver: () => void): () => void {
  const startMs = performance.now();
  const usedBefore = thread.processorMs() ?? 0;
  let timer = setTimeout(look, limitMs).unref();

  function look(): void {
    const used = thread.processorMs();
    const left = used === undefined ? 0 : limitMs - (used - usedBefore);
    const mayWait = maxFactor * limitMs - (performance.now() - startMs);
    if (left < minWaitMs || mayWait < minWaitMs) onOver();
    else timer = setTimeout(look, Math.min(left, mayWait)).unref();
  }

  return () => clearTimeout(timer);
}

/** Shorter remaining times count as zero. */
const minWaitMs = 5;

import type { Thread } from './open-thread.js';

/** So many times the limit may go by while the machine runs other programs. */
const maxFactor = 4;

/**
 * Calls back when a thread has worked for so long. Time in which the system runs other threads does not count where the
 * system tells, up to four times the limit: a judgement must not be given up because the machine is busy. Answers what
 * ends it.
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

/** Times below this count as nothing. */
const minWaitMs = 5;

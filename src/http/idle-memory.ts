import { collectYoung } from './collector.js';

const intervalMs = 2_000;
/** The processor time, as a share of an interval, from which a process is busy. */
const busyShare = 0.1;
/** The share up to which it is idle; values in between change nothing. */
const idleShare = 0.05;
/** V8 derives the rate of memory use from this many collections. */
const rateSamples = 10;

export interface IdleMemoryParts {
  /** Returns the processor time that this process has used since its start, in milliseconds. */
  readonly processorMs: () => number;
  /** Collects the young objects. */
  readonly collect: () => void;
}

const ownParts: IdleMemoryParts = {
  processorMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  collect: collectYoung,
};

/**
 * Lets V8 notice that a busy process has become idle. V8 returns memory to the system only while little is used, and
 * derives the rate from its last ten collections. An idle process has none, so a node would keep 100 to 200 MB of dead
 * objects after a load. Ten collections of young objects take some ten milliseconds together, and V8 then does the rest
 * concurrently.
 *
 * @returns a function that ends this
 */
export function releaseWhenIdle(parts: IdleMemoryParts = ownParts): () => void {
  const { processorMs, collect } = parts;
  let missing = 0;
  let beforeMs = processorMs();
  const timer = setInterval(() => {
    const nowMs = processorMs();
    const share = (nowMs - beforeMs) / intervalMs;
    beforeMs = nowMs;
    if (share >= busyShare) missing = rateSamples;
    if (share > idleShare || missing === 0) return;
    missing -= 1;
    collect();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

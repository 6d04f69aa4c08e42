import { readFileSync } from 'node:fs';

/** Processor time that a thread has used, and time that it has waited while others ran, in milliseconds. */
export interface ProcessorTimes {
  readonly usedMs: number;
  readonly waitedMs: number;
}

/** Returns the times of a thread of this process. Undefined if it is gone, or the system does not count; Linux does. */
export function processorTimes(threadId: number): ProcessorTimes | undefined {
  try {
    const [used, waited] = readFileSync(`/proc/self/task/${threadId}/schedstat`, 'utf8').split(' ');
    return { usedMs: Number(used) / nanoseconds, waitedMs: Number(waited) / nanoseconds };
  } catch {
    return undefined;
  }
}

const nanoseconds = 1_000_000;

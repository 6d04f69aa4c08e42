import { readFileSync } from 'node:fs';

/**
 * The private memory of a process plus its share of shared memory, in bytes; undefined if the system does not provide
 * it.
 */
export function readMemory(pid: number): number | undefined {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    // The process is gone, or the system has no /proc.
    return undefined;
  }
}

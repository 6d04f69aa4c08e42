import { readFileSync } from 'node:fs';

/**
 * The memory of a process that only it uses or its share of what it shares; undefined where the system does not say.
 */
export function readMemory(pid: number): number | undefined {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    // Gone since, or a system without /proc: the column stays empty.
    return undefined;
  }
}

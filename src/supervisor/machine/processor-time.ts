import { readFileSync } from 'node:fs';

/** Linux's unit of CPU times. */
const tickMs = 10;

/**
 * CPU time used by the main thread of a process, in milliseconds; undefined if the system does not provide it or the
 * process is gone. Other threads do not count: they may work while the main one hangs.
 */
export function mainThreadMs(pid: number): number | undefined {
  try {
    // The kernel makes this text from memory, so a synchronous read does not block. An asynchronous one costs more.
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may contain spaces and brackets; state is the first field after
    // it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * tickMs : undefined;
  } catch {
    // The file does not exist: another system, or no such process.
    return undefined;
  }
}

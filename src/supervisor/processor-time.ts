import { readFile } from 'node:fs/promises';

/** The unit in which Linux tells processor times. */
const tickMs = 10;

/**
 * Processor time that the main thread of a process has used, in milliseconds; undefined where the system does not say,
 * or the process is gone. Other threads do not count: they work also where the main one hangs.
 */
export async function mainThreadMs(pid: number): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may hold spaces and brackets; state is the first field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * tickMs : undefined;
  } catch {
    // No such file: another system, or no such process.
    return undefined;
  }
}

import { readFile } from 'node:fs/promises';

/** A process to watch, and its name in the report. */
export interface WatchedProcess {
  readonly name: string;
  readonly pid: number;
}

export interface ProcessUsage extends WatchedProcess {
  /** CPU time used while watched; null if the process ended or the platform does not provide it. */
  readonly cpuSeconds: number | null;
  /** The largest proportional set size in the samples; null as above. */
  readonly peakPssBytes: number | null;
  /** The largest resident set size in the samples; null as above. */
  readonly peakRssBytes: number | null;
}

export interface ProcessWatch {
  /** Stops watching and returns the usage since the start. */
  stop(): Promise<ProcessUsage[]>;
}

const sampleMs = 1_000;
/** `USER_HZ` of every supported Linux; it cannot be queried without a child process. */
const ticksPerSecond = 100;

/** Reads `/proc` of each process once a second until `stop`. */
export async function watchProcesses(processes: readonly WatchedProcess[]): Promise<ProcessWatch> {
  const startSeconds = await Promise.all(processes.map(({ pid }) => readCpuSeconds(pid)));
  const peaks = new Map<number, number>();
  const resident = new Map<number, number>();
  const sample = async (): Promise<void> => {
    for (const { pid } of processes) {
      raise(peaks, pid, await readPssBytes(pid));
      raise(resident, pid, await readRssBytes(pid));
    }
  };
  let sampling = sample();
  const timer = setInterval(() => {
    sampling = sampling.then(sample);
  }, sampleMs);
  return {
    async stop() {
      clearInterval(timer);
      await sampling;
      await sample();
      const endSeconds = await Promise.all(processes.map(({ pid }) => readCpuSeconds(pid)));
      return processes.map((process, index) => {
        const start = startSeconds[index] ?? null;
        const end = endSeconds[index] ?? null;
        const cpuSeconds = start === null || end === null ? null : Math.round((end - start) * 100) / 100;
        const { pid } = process;
        return {
          ...process,
          cpuSeconds,
          peakPssBytes: peaks.get(pid) ?? null,
          peakRssBytes: resident.get(pid) ?? null,
        };
      });
    },
  };
}

async function readCpuSeconds(pid: number): Promise<number | null> {
  const stat = await readProc(pid, 'stat');
  // The name in parentheses may contain spaces; utime and stime are the 12th and 13th fields after it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields?.[11]) + Number(fields?.[12]);
  return Number.isFinite(ticks) ? ticks / ticksPerSecond : null;
}

async function readPssBytes(pid: number): Promise<number | null> {
  const rollup = await readProc(pid, 'smaps_rollup');
  const kibibytes = Number(/^Pss:\s+(\d+) kB/m.exec(rollup ?? '')?.[1]);
  return Number.isFinite(kibibytes) ? kibibytes * 1_024 : null;
}

async function readRssBytes(pid: number): Promise<number | null> {
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB/m.exec((await readProc(pid, 'status')) ?? '')?.[1]);
  return Number.isFinite(kibibytes) ? kibibytes * 1_024 : null;
}

function raise(peaks: Map<number, number>, pid: number, bytes: number | null): void {
  if (bytes !== null) peaks.set(pid, Math.max(peaks.get(pid) ?? 0, bytes));
}

/** Reads a file of `/proc`; undefined if it or the process does not exist. Only Linux has `/proc`. */
async function readProc(pid: number, file: string): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return undefined;
    throw error;
  }
}

import { copyFile, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isErrno } from '../../supervisor/files/json-file.js';
import { logFile, readTail } from '../../supervisor/files/logs.js';
import { makeDirectory } from '../../supervisor/files/private-file.js';
import type { Layout } from '../layout.js';

const maxKept = 10;
const maxLines = 20;
const maxRead = 1_000;

export interface Run {
  readonly name: string;
  /** Start time of its process; null if there was none. */
  readonly startedAt: string | null;
}

/**
 * The last records of a service since the start of its process; if there are none, since `begunAt`, the start of the
 * command. Records of earlier runs would be misleading.
 */
export function lastLines({ logs }: Layout, { name, startedAt }: Run, begunAt?: string, maxShown = maxLines): string[] {
  const records = readTail(logs, name, maxRead);
  const own = startedAt === null ? [] : recordsSince(records, startedAt);
  return (own.length > 0 || begunAt === undefined ? own : recordsSince(records, begunAt)).slice(-maxShown);
}

function recordsSince(records: readonly string[], time: string): string[] {
  const isBefore = (record: string): boolean => (timeOf(record) ?? time) < time;
  return records.slice(records.findLastIndex(isBefore) + 1);
}

function timeOf(record: string): string | undefined {
  try {
    const value: unknown = JSON.parse(record);
    const isTimed = typeof value === 'object' && value !== null && 'time' in value;
    return isTimed && typeof value.time === 'string' ? value.time : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Copies plan, state and current logs of a failed start to `crash/<time>/`, keeping the newest ten.
 *
 * @returns the directory
 */
export async function keepEvidence(layout: Layout, services: readonly string[]): Promise<string> {
  const directory = join(layout.crash, new Date().toISOString().replaceAll(':', '-'));
  await makeDirectory(directory);
  const logs = ['supervisor', ...services].map((service) => logFile(layout.logs, service));
  for (const file of [layout.plan, layout.state, join(layout.logs, 'supervisor.err'), ...logs]) {
    await copyFile(file, join(directory, basename(file))).catch((error: unknown) => {
      // A file that was never written cannot be copied.
      if (!isErrno(error, 'ENOENT')) throw error;
    });
  }
  const kept = (await readdir(layout.crash)).sort().reverse();
  for (const name of kept.slice(maxKept)) await rm(join(layout.crash, name), { recursive: true, force: true });
  return directory;
}

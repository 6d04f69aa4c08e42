import { copyFile, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isErrno } from '../supervisor/json-file.js';
import { logFile, readTail } from '../supervisor/logs.js';
import { makeDirectory } from '../supervisor/private-file.js';
import type { Layout } from './layout.js';

const maxKept = 10;
const maxLines = 20;
const maxRead = 1_000;

/** The run of a service that somebody wants to know about. */
export interface Run {
  readonly name: string;
  /** When its process began; null when there has been none. */
  readonly startedAt: string | null;
}

/**
 * The last records of a service since its process began; when that has written none, since `begunAt`, when the command
 * began. Records of earlier runs would tell of something else.
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
 * Copies what explains a failed start, plan, state and current logs, to `crash/<time>/`, and keeps the newest ten of
 * these.
 *
 * @returns the directory
 */
export async function keepEvidence(layout: Layout, services: readonly string[]): Promise<string> {
  const directory = join(layout.crash, new Date().toISOString().replaceAll(':', '-'));
  await makeDirectory(directory);
  const logs = ['supervisor', ...services].map((service) => logFile(layout.logs, service));
  for (const file of [layout.plan, layout.state, join(layout.logs, 'supervisor.err'), ...logs]) {
    await copyFile(file, join(directory, basename(file))).catch((error: unknown) => {
      // What was never written is not there to be copied.
      if (!isErrno(error, 'ENOENT')) throw error;
    });
  }
  const kept = (await readdir(layout.crash)).sort().reverse();
  for (const name of kept.slice(maxKept)) await rm(join(layout.crash, name), { recursive: true, force: true });
  return directory;
}

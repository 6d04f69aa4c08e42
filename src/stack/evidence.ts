import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isErrno } from '../supervisor/json-file.js';
import { logFile } from '../supervisor/logs.js';
import type { Layout } from './layout.js';

const maxKept = 10;

/**
 * Copies what explains a failed start, plan, state and current logs, to `crash/<time>/`, and keeps the newest ten of
 * these.
 *
 * @returns the directory
 */
export async function keepEvidence(layout: Layout, services: readonly string[]): Promise<string> {
  const directory = join(layout.crash, new Date().toISOString().replaceAll(':', '-'));
  await mkdir(directory, { recursive: true, mode: 0o700 });
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

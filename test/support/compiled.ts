import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;

/**
 * Bundles a module with its imports into one file, for processes and threads of a test, which cannot load TypeScript.
 * Call it at the top of a test file; the bundle exists while its tests run.
 */
export function compiled(source: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  beforeAll(() => bundle(source, folder));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  return moduleIn(folder);
}

/** Bundles a module with its imports into one file in a folder, and returns the URL of that file. */
export async function bundle(source: string, folder: string): Promise<URL> {
  // Native packages stay outside, as in the programs.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await build({
    input: join(root, source),
    platform: 'node',
    external: ['sqlite3'],
    checks: { unresolvedImport: false, eval: false },
    output: { file: fileURLToPath(moduleIn(folder)), codeSplitting: false },
  });
  return moduleIn(folder);
}

const moduleIn = (folder: string): URL => pathToFileURL(join(folder, 'module.mjs'));

import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;

/**
 * Makes one file of a module and all that it imports, for processes and threads of a test: they cannot load TypeScript.
 * Call it at the top of a test file. The file is there when its first test begins, and gone after the last.
 */
export function compiled(source: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  const file = join(folder, 'module.mjs');
  beforeAll(async () => {
    // As in the programs, what is compiled for its machine stays outside.
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    await build({
      ...{ input: join(root, source), platform: 'node', external: ['sqlite3'] },
      ...{ checks: { unresolvedImport: false, eval: false }, output: { file, codeSplitting: false } },
    });
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  return new URL(`file://${file}`);
}

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import { finish } from '../../../ui/build/finish.js';

/** Builds a page whose script has this many bytes that do not compress. */
async function buildPage(bytes: number): Promise<unknown> {
  const root = await mkdtemp(join(tmpdir(), 'parley-build-'));
  try {
    await writeFile(join(root, 'index.html'), '<script type="module" src="/main.js"></script>');
    await writeFile(join(root, 'main.js'), `console.log('${randomBytes(bytes).toString('base64')}');`);
    return await build({ root, configFile: false, logLevel: 'silent', plugins: [finish()] });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

describe('the build of the explorer', () => {
  it('fails when a part is larger than its budget, and passes when all fit', async () => {
    await expect(buildPage(180 * 1024)).rejects.toThrow(
      /The first script has \d+\.\d KB compressed; the limit is 170\.0 KB/,
    );
    await expect(buildPage(1_024)).resolves.toBeDefined();
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeArchive } from '../../../../src/cli/dump/tar.js';
import { aDirectory } from '../../supervisor/fixtures/plans.js';

test("An archive holds every file, byte for byte, as the system's tar reads it", async () => {
  const [source, target] = [aDirectory(), aDirectory()];
  const long = `${'d'.repeat(90)}/${'e'.repeat(90)}.ndjson`;
  const files = { 'empty.txt': '', 'a/b.txt': 'x'.repeat(512), [long]: 'y'.repeat(70_001) };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(source, path, '..'), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  await writeArchive(source, 'dev-1', join(target, 'out.tar.gz'));
  execFileSync('tar', ['-xzf', 'out.tar.gz'], { cwd: target });
  for (const [path, text] of Object.entries(files))
    expect(readFileSync(join(target, 'dev-1', path), 'utf8')).toBe(text);
});

test('A path that has no room in the format is refused', async () => {
  const [source, target] = [aDirectory(), aDirectory()];
  writeFileSync(join(source, 'n'.repeat(200)), '');
  await expect(writeArchive(source, 'dev-1', join(target, 'out.tar.gz'))).rejects.toThrow('too long');
});

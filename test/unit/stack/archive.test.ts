import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packArchive, unpackArchive } from '../../../src/stack/archive.js';
import { aDirectory } from '../supervisor/fixtures/plans.js';

const long = `${'d'.repeat(90)}/${'e'.repeat(190)}.ndjson`;
const files = { 'empty.txt': '', 'a/b.txt': 'x'.repeat(512), [long]: 'y'.repeat(70_001) };

function aTree(): string {
  const root = join(aDirectory(), 'dev-1');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test("An archive contains every file, as the system's tar reads it, and is private", async () => {
  const target = aDirectory();
  await packArchive(aTree(), join(target, 'out.tar.gz'));
  expect(statSync(join(target, 'out.tar.gz')).mode & 0o777).toBe(0o600);
  execFileSync('tar', ['-xzf', 'out.tar.gz'], { cwd: target });
  for (const [path, text] of Object.entries(files))
    expect(readFileSync(join(target, 'dev-1', path), 'utf8')).toBe(text);
});

test('Unpacked files have their content and are private', async () => {
  const target = aDirectory();
  const archive = join(aDirectory(), 'in.tar.gz');
  await packArchive(aTree(), archive);
  await unpackArchive(archive, target);
  for (const [path, text] of Object.entries(files)) {
    expect(readFileSync(join(target, 'dev-1', path), 'utf8')).toBe(text);
    expect(statSync(join(target, 'dev-1', path)).mode & 0o077).toBe(0);
  }
});

/** An archive that the system's tar makes in a directory with some files. */
function archiveOf(prepare: (directory: string) => void, ...words: string[]): string {
  const directory = aDirectory();
  mkdirSync(join(directory, 'inner'));
  writeFileSync(join(directory, 'outside.txt'), 'outside');
  writeFileSync(join(directory, 'inner', 'one.txt'), 'one');
  prepare(directory);
  execFileSync('tar', ['-czPf', join(directory, 'bad.tar.gz'), ...words], { cwd: join(directory, 'inner') });
  return join(directory, 'bad.tar.gz');
}

const nothing = (): void => undefined;

test.each([
  ['a path that leaves the target', () => archiveOf(nothing, 'one.txt', '../outside.txt')],
  ['an absolute path', () => archiveOf(nothing, 'one.txt', '/etc/hostname')],
  ['a link', () => archiveOf((directory) => symlinkSync('/etc', join(directory, 'inner', 'link')), 'link')],
  ['no entries', () => archiveOf(nothing, '--files-from', '/dev/null')],
])('refuses an archive with %s, and unpacks nothing', async (_, make) => {
  const archive = make();
  const outer = aDirectory();
  const target = join(outer, 'target');
  mkdirSync(target);
  await expect(unpackArchive(archive, target)).rejects.toMatchObject({ code: 'ARCHIVE_INVALID', exitCode: 2 });
  expect(() => statSync(join(outer, 'outside.txt'))).toThrow();
  expect(readdirSync(target)).toEqual([]);
});

test('refuses a truncated archive, another file, a missing file and a directory', async () => {
  const [directory, target] = [aDirectory(), aDirectory()];
  await packArchive(aTree(), join(directory, 'whole.tar.gz'));
  const whole = readFileSync(join(directory, 'whole.tar.gz'));
  writeFileSync(join(directory, 'cut.tar.gz'), whole.subarray(0, whole.length - 40));
  writeFileSync(join(directory, 'text.tar.gz'), 'no archive\n'.repeat(100));
  for (const name of ['cut.tar.gz', 'text.tar.gz', 'nowhere.tar.gz', '.']) {
    const refused = unpackArchive(join(directory, name), target);
    const message = expect.not.stringMatching(/TAR_|\.\.$/) as string;
    await expect(refused, name).rejects.toMatchObject({ code: 'ARCHIVE_INVALID', message });
    expect(readdirSync(target)).toEqual([]);
  }
});

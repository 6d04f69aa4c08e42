import { chmod, readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { create, extract, list, type ReadEntry } from 'tar';
import { isErrno } from '../supervisor/files/json-file.js';
import { StackError } from './error.js';

/**
 * Writes a directory as a `.tar.gz` in which every path begins with the directory's own name. Only its owner can read
 * the archive.
 */
export async function packArchive(directory: string, target: string): Promise<void> {
  const place = { cwd: dirname(directory), file: target, mode: 0o600 };
  await create({ ...place, gzip: true, portable: true, strict: true }, [basename(directory)]);
}

/**
 * Unpacks a `.tar.gz` of files and directories into an existing directory, which only its owner can then read. The
 * whole archive is checked first: the library finds damage only after it has written the entries before it.
 *
 * @throws StackError ARCHIVE_INVALID for damaged bytes, a path that leaves the target, a link or a device; nothing is
 *   unpacked then
 */
export async function unpackArchive(file: string, directory: string): Promise<void> {
  await requireFile(file);
  await requireArchive(file);
  await whileReading(file, extract({ file, cwd: directory, strict: true, preserveOwner: false }));
  await makePrivate(directory);
}

const keptTypes: readonly string[] = ['File', 'OldFile', 'Directory'];

/** Checks every entry of an archive. @throws StackError ARCHIVE_INVALID */
async function requireArchive(file: string): Promise<void> {
  let strange: string | undefined;
  let entries = 0;
  const onReadEntry = ({ path, type }: ReadEntry): void => {
    entries++;
    if (isAbsolute(path) || path.split('/').includes('..')) strange ??= `its entry ${path} leads out of the archive`;
    if (!keptTypes.includes(type)) strange ??= `its entry ${path} is neither a file nor a directory`;
  };
  await whileReading(file, list({ file, strict: true, onReadEntry }));
  if (strange !== undefined) throw invalid(file, strange);
  if (entries === 0) throw invalid(file, 'it is empty');
}

/** Waits for work on an archive. Any failure except one of the system means that the archive is invalid. */
async function whileReading(file: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    if (isErrno(cause, 'ENOSPC', 'EACCES', 'EROFS', 'EDQUOT', 'EMFILE')) throw cause;
    throw invalid(file, reasonOf(cause), cause);
  }
}

async function requireFile(file: string): Promise<void> {
  const entry = await stat(file).catch((cause: unknown) => {
    if (!isErrno(cause, 'ENOENT', 'ENOTDIR')) throw cause;
    throw invalid(file, 'there is no such file', cause);
  });
  if (!entry.isFile()) throw invalid(file, 'it is not a file');
}

async function makePrivate(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
}

/** The library's message without its code and full stop. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.replace(/^[A-Z_]+: /, '').replace(/\.$/, '');
}

function invalid(file: string, why: string, cause?: unknown): StackError {
  return new StackError('ARCHIVE_INVALID', `${file} is not a usable archive: ${why}.`, {
    hint: 'Export it again, or copy it again from where it was exported.',
    details: { path: file },
    cause,
  });
}

import { chmod, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { create, extract } from 'tar';
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
 * Unpacks a `.tar.gz` of files and directories into a directory that exists. Everything there is then for its owner
 * alone.
 *
 * @throws StackError ARCHIVE_INVALID for what is no such archive: a path that leaves the target, a link, a device, or
 *   bytes that are damaged. What was unpacked before stays for the caller to remove.
 */
export async function unpackArchive(file: string, directory: string): Promise<void> {
  await requireFile(file);
  let strange: string | undefined;
  let entries = 0;
  const filter = (path: string, entry: object): boolean => {
    entries++;
    const type = 'type' in entry ? String(entry.type) : '';
    if (keptTypes.includes(type)) return true;
    strange ??= `${path} in it is neither a file nor a directory`;
    return false;
  };
  try {
    await extract({ file, cwd: directory, filter, strict: true, preserveOwner: false });
  } catch (cause) {
    if (isErrno(cause, 'ENOSPC', 'EACCES', 'EROFS', 'EDQUOT', 'EMFILE')) throw cause;
    throw invalid(file, reasonOf(cause), cause);
  }
  if (strange !== undefined) throw invalid(file, strange);
  if (entries === 0) throw invalid(file, 'it is empty');
  await makePrivate(directory);
}

const keptTypes: readonly string[] = ['File', 'OldFile', 'Directory'];

async function requireFile(file: string): Promise<void> {
  const entry = await stat(file).catch((cause: unknown) => {
    if (!isErrno(cause, 'ENOENT', 'ENOTDIR')) throw cause;
    throw invalid(file, 'there is no such file', cause);
  });
  if (!entry.isFile()) throw invalid(file, 'it is no file');
}

async function makePrivate(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
}

/** The sentence of the library that unpacks, without its code and full stop. */
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

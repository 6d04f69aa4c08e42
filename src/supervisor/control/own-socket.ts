import type { Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isErrno } from '../files/json-file.js';

/**
 * Maximum length of a Unix socket's path in bytes. Node silently truncates longer ones, which puts the socket
 * elsewhere.
 */
export const maxSocketPathBytes = process.platform === 'darwin' ? 103 : 107;

const sticky = 0o1000;
const writableByAll = 0o002;
const openToOthers = 0o077;

/**
 * The reason why a directory must not hold a control socket; undefined if it may, or does not exist. A user who can
 * replace the socket could answer for another user's stack.
 */
export async function directoryProblem(directory: string): Promise<string | undefined> {
  const entry = await entryOf(directory);
  if (entry === undefined) return undefined;
  if (!entry.isDirectory()) return `${directory} must be a directory, not ${kindOf(entry)}`;
  if (!isOurs(entry)) return `The directory ${directory} belongs to the user ${entry.uid}, not to you (${ownUid()})`;
  const mode = (entry.mode & 0o777).toString(8).padStart(4, '0');
  if ((entry.mode & openToOthers) !== 0) return `The directory ${directory} must have mode 0700, not ${mode}`;
  return undefined;
}

/** The reason why other users could replace a directory in this parent; undefined if they cannot. */
export async function parentProblem(parent: string): Promise<string | undefined> {
  const entry = await entryOf(parent, stat);
  if (entry === undefined) return undefined;
  if (!isOurs(entry) && entry.uid !== 0) {
    return `The directory ${parent} belongs to the user ${entry.uid}, not to you (${ownUid()})`;
  }
  const isOpen = (entry.mode & writableByAll) !== 0 && (entry.mode & sticky) === 0;
  return isOpen ? `The directory ${parent} is writable by every user` : undefined;
}

/** The reason why nothing must be sent to a socket; undefined if it is safe. */
export async function socketProblem(path: string): Promise<string | undefined> {
  const problem = await directoryProblem(dirname(path));
  if (problem !== undefined) return problem;
  const entry = await entryOf(path);
  if (entry === undefined) return undefined;
  if (!entry.isSocket()) return `${path} must be a socket, not ${kindOf(entry)}`;
  return isOurs(entry) ? undefined : `The socket ${path} belongs to the user ${entry.uid}, not to you (${ownUid()})`;
}

function ownUid(): number | undefined {
  return process.getuid?.();
}

function isOurs(entry: Stats): boolean {
  return entry.uid === ownUid();
}

function kindOf(entry: Stats): string {
  if (entry.isSymbolicLink()) return 'a symbolic link';
  return entry.isDirectory() ? 'a directory' : 'a file';
}

async function entryOf(path: string, look: typeof stat = lstat): Promise<Stats | undefined> {
  try {
    return await look(path);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

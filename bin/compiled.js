// The cache of compiled code of the programs, in the user's cache folder. Compiling took half of a start. Node's own
// cache (since 22) has only code that is compiled while a module loads; this one also has what ran after that.
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { crc32 } from 'node:zlib';

/** Below this size, compiling a program is faster than reading a second file. */
const minLengthBytes = 30_000;
/** When a service is started and has compiled the functions that it uses. */
const writeAfterMs = 5_000;
/** Enough for about eight builds; the oldest files beyond it are removed. */
const maxCacheBytes = 64 * 1024 * 1024;
const checksumLength = 8;
const ownFolders = ['parley', 'compiled', `${process.version}-${process.arch}`];

/** Returns the file for the compiled code of a program; undefined for a user without a home, or a short program. */
export function cacheFileOf(path, bytes) {
  // Not in the system's temporary folder, where another user could place code for us to run.
  const { HOME, XDG_CACHE_HOME: caches = HOME && join(HOME, '.cache') } = process.env;
  if (!caches || bytes.length < minLengthBytes) return undefined;
  // Compiled code contains the path, so that of the same program elsewhere would show wrong files in stack traces.
  const name = `${basename(path, '.cjs')}-${checksum(bytes, crc32(path))}.bin`;
  return join(caches, ...ownFolders, name);
}

/**
 * Reads the cached code; undefined if its checksum is wrong. V8 would run any bytes, and a power cut can leave some.
 */
export function readCompiled(file) {
  if (file === undefined) return undefined;
  try {
    const kept = readOwn(file);
    const code = kept.subarray(checksumLength);
    return kept.latin1Slice(0, checksumLength) === checksum(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a file of this user. With sudo, the home may belong to another user, who must not choose what root runs. */
function readOwn(file) {
  const descriptor = openSync(file, 'r');
  try {
    if (fstatSync(descriptor).uid !== process.getuid?.()) throw new Error(`${file} belongs to another user`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const unwritten = new Map();

/** Writes the compiled code of a script soon after the start of the process, or at its end if that comes first. */
export function cacheCompiled(file, script) {
  if (file === undefined) return;
  if (unwritten.size === 0) {
    process.once('exit', writeAll);
    setTimeout(writeAll, writeAfterMs).unref();
  }
  unwritten.set(file, script);
}

function writeAll() {
  process.off('exit', writeAll);
  try {
    for (const [file, script] of unwritten) {
      const code = script.createCachedData();
      writeAtomically(file, Buffer.concat([Buffer.from(checksum(code)), code]));
    }
    const [file] = unwritten.keys();
    if (file !== undefined) removeOldest(dirname(dirname(file)));
  } catch {
    // With a full disk or a read-only home, the next start is only slower.
  }
  unwritten.clear();
}

function writeAtomically(file, bytes) {
  makeFolders(dirname(file));
  const unfinished = `${file}.${process.pid}-${threadId}`;
  try {
    writeFileSync(unfinished, bytes, { mode: 0o600 });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Creates our folders and the folder of all caches one by one: below /proc, Node's recursive mkdir does not end. */
function makeFolders(folder) {
  for (let depth = ownFolders.length; depth >= 0; depth -= 1) {
    const path = join(folder, ...ownFolders.slice(0, depth).map(() => '..'));
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

function removeOldest(folder) {
  const files = readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .map((path) => ({ path, stats: statSync(path, { throwIfNoEntry: false }) }))
    .filter(({ stats }) => stats?.isFile())
    .sort((left, right) => right.stats.mtimeMs - left.stats.mtimeMs);
  let totalBytes = 0;
  for (const { path, stats } of files) {
    totalBytes += stats.size;
    if (totalBytes > maxCacheBytes) rmSync(path, { force: true });
  }
}

function checksum(bytes, start = 0) {
  return crc32(bytes, start).toString(16).padStart(checksumLength, '0');
}

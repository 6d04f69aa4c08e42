// The cache of code that V8 has compiled of the programs, in the user's cache folder: to compile it again was half of a
// start. Node's own cache (from 22 on) keeps what is compiled while a module loads; this one what its start used, too.
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

/** A shorter program is compiled faster than a second file is read. */
const minLengthBytes = 30_000;
/** By then a service has compiled what it runs on, and its start is over. */
const keepAfterMs = 5_000;
/** For about eight builds; more than that is removed, the oldest first. */
const maxCacheBytes = 64 * 1024 * 1024;
const checksumLength = 8;
const ownFolders = ['parley', 'compiled', `${process.version}-${process.arch}`];

/** The file for the compiled code of a program. Undefined for a user without a home, and for a short program. */
export function cacheFileOf(path, bytes) {
  // Not in the system's temporary folder, where anybody could have put something for us to run.
  const { HOME, XDG_CACHE_HOME: caches = HOME && join(HOME, '.cache') } = process.env;
  if (!caches || bytes.length < minLengthBytes) return undefined;
  // Compiled code has the path in it: an equal program elsewhere would name the wrong files in its traces.
  const name = `${basename(path, '.cjs')}-${checksum(bytes, crc32(path))}.bin`;
  return join(caches, ...ownFolders, name);
}

/** Returns the code that is kept in the file, if it is whole: V8 would run any bytes, and a power cut can leave any. */
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

/** Reads a file of this user. With sudo the home may be that of another, who must not choose what root runs. */
function readOwn(file) {
  const descriptor = openSync(file, 'r');
  try {
    if (fstatSync(descriptor).uid !== process.getuid?.()) throw new Error(`${file} is of another user`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const unkept = new Map();

/** Keeps, at the end of the process or soon after its start, all that was compiled of a script until then. */
export function keepCompiled(file, script) {
  if (file === undefined) return;
  if (unkept.size === 0) {
    process.once('exit', keepAll);
    setTimeout(keepAll, keepAfterMs).unref();
  }
  unkept.set(file, script);
}

function keepAll() {
  process.off('exit', keepAll);
  try {
    for (const [file, script] of unkept) {
      const code = script.createCachedData();
      writeWhole(file, Buffer.concat([Buffer.from(checksum(code)), code]));
    }
    const [file] = unkept.keys();
    if (file !== undefined) removeOldest(dirname(dirname(file)));
  } catch {
    // On a full disk or in a read-only home the next start is slower, and that is all.
  }
  unkept.clear();
}

function writeWhole(file, bytes) {
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

/** Makes our folders and that of all caches, one by one: below /proc the recursive way of Node does not end. */
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

import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const blockBytes = 512;
const maxNameBytes = 100;
const maxPrefixBytes = 155;

/**
 * Writes the files below a directory as a `.tar.gz`, each under `root`, in the order of their names.
 *
 * @throws Error for a path that the format has no room for
 */
export async function writeArchive(directory: string, root: string, target: string): Promise<void> {
  await pipeline(entriesOf(directory, root), createGzip(), createWriteStream(target, { mode: 0o600 }));
}

async function* entriesOf(directory: string, root: string): AsyncGenerator<Uint8Array> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of files.sort()) {
    const { size, mtimeMs } = await stat(path);
    yield headerOf(`${root}/${path.slice(directory.length + 1)}`, size, mtimeMs);
    // A file that has grown since is cut at the size that its header has.
    if (size > 0) yield* createReadStream(path, { end: size - 1 });
    yield Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
  }
  yield Buffer.alloc(2 * blockBytes);
}

/** The header of a file in the format of POSIX (`ustar`). */
function headerOf(path: string, sizeBytes: number, timeMs: number): Buffer {
  const { name, prefix } = splitPath(path);
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0);
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(sizeBytes, 12), 124);
  header.write(octal(Math.floor(timeMs / 1_000), 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\0' + '00', 257);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, '0')}\0`;
}

/** Long paths are split at a slash, into a name and what stands before it. */
function splitPath(path: string): { readonly name: string; readonly prefix: string } {
  if (Buffer.byteLength(path) <= maxNameBytes) return { name: path, prefix: '' };
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    const fits = Buffer.byteLength(name) <= maxNameBytes && Buffer.byteLength(prefix) <= maxPrefixBytes;
    if (fits) return { name, prefix };
  }
  throw new Error(`The path ${path} is too long for an archive.`);
}

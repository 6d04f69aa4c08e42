import { randomUUID } from 'node:crypto';
import { constants, openSync, rmSync, type Stats } from 'node:fs';
import { open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../errors/exit.js';
import { writeProblem } from '../errors/file-problem.js';
import { safe } from '../terminal/text.js';

/** With up to four bytes per character this is within the limit of every file system. */
export const maxNameCharacters = 60;
/** The time between two attempts to find a reader of a FIFO. */
const readerMs = 50;

/**
 * Writes a file atomically, with the mode of the file that it replaces. Links are followed. A FIFO or device is written
 * to directly.
 *
 * @throws CliError USAGE if it cannot be written; the errors of `bytes`
 */
export async function writeFile(bytes: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const former = await stat(path).catch(() => undefined);
  if (former?.isFIFO() === true) await writeFifo(bytes, path);
  else if (former?.isFile() === false) await writeDevice(bytes, path);
  else await replaceFile(bytes, await resolveLinks(path).catch(refuse(path)), former);
}

/** Follows the links of a path, even if the last one leads to no file yet. */
async function resolveLinks(path: string): Promise<string> {
  const real = await realpath(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (real !== undefined) return real;
  const link = await readlink(path).catch(() => undefined);
  if (link === undefined) return join(await realpath(dirname(path)), basename(path));
  // `join` would resolve `..` in the text, which is wrong after a link to a directory.
  return resolveLinks(link.startsWith('/') ? link : `${dirname(path)}/${link}`);
}

/** Writes atomically: temporary name, bytes, sync, rename. A failure, or Ctrl-C, leaves nothing. */
async function replaceFile(bytes: AsyncIterable<Uint8Array>, path: string, former: Stats | undefined): Promise<void> {
  const partial = join(
    dirname(path),
    `.${basename(path).slice(0, maxNameCharacters)}.${randomUUID().slice(0, 8)}.part`,
  );
  const removeOnExit = () => {
    rmSync(partial, { force: true });
  };
  process.once('exit', removeOnExit);
  const mode = former === undefined ? undefined : former.mode & 0o777;
  const file = await open(partial, 'wx', mode).catch(refuse(path));
  try {
    for await (const chunk of bytes) await file.writeFile(chunk);
    // The umask has reduced the mode that was given to `open`.
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
    await file.close();
    await rename(partial, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  } finally {
    process.off('exit', removeOnExit);
  }
}

async function writeDevice(bytes: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const file = await open(path, constants.O_WRONLY).catch(refuse(path));
  try {
    for await (const chunk of bytes) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}

/** Writes without blocking a thread, because a blocked thread would keep the process from exiting. */
async function writeFifo(bytes: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const fifo = new Socket({ fd: await openFifo(path).catch(refuse(path)), readable: false, writable: true });
  try {
    await pipeline(bytes, fifo);
  } catch (cause) {
    if (codeOf(cause) !== 'EPIPE') throw cause;
    throw new CliError('USAGE', `${safe(path)} cannot be written: its reader closed it too early.`, { cause });
  } finally {
    fifo.destroy();
  }
}

/** Opens a FIFO when it has a reader. */
async function openFifo(path: string): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (codeOf(error) !== 'ENXIO') throw error;
      await delay(readerMs);
    }
  }
}

function refuse(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new CliError('USAGE', `${safe(path)} cannot be written: ${writeProblem(cause)}.`, { cause });
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

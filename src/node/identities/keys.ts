import { lstat, mkdir, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readPrivateFile } from '../../http/private-file.js';
import type { Log } from '../../ports/log.js';
import type { Random } from '../../ports/random.js';
import { isPrivateKey } from '../../domain/chain/keys.js';

/** The wallet of a node: its keys other than its organisation's, each in a file of its own. */
export interface KeyStore {
  /** Loads the private keys, `0x` and 64 digits. @throws Error if a file has no key or others may have read it */
  load(): Promise<readonly string[]>;
  /**
   * Reads, while the node runs, the files that were added or changed since the last call. A file without a key, or one
   * that others could read, is logged and left out.
   */
  readable(): Promise<readonly string[]>;
  /** Creates a private key and resolves when it is on disk. */
  create(): Promise<string>;
}

export interface KeyStoreOptions {
  /** Created together with the first key. Files whose names begin with a dot are incomplete. */
  readonly directory: string;
  /**
   * The directory in which earlier versions of the node created keys; it may be the same. They left incomplete files
   * without a suffix, so only names with the suffix count there.
   */
  readonly earlier?: string | undefined;
  readonly log?: Pick<Log, 'warn'> | undefined;
  readonly random: Random;
}

const keyBytes = 32;
const finished = '.key';

/**
 * Creates the store of keys in a directory that only the owner of this process can read (docs/architecture.md §12.4).
 */
export function createKeyStore({ directory, earlier, random, log }: KeyStoreOptions): KeyStore {
  async function files(): Promise<string[]> {
    if (directory === earlier) return pathsIn(directory, isFinished);
    const own = await pathsIn(directory, (name) => !name.startsWith('.'));
    return earlier === undefined ? own : [...own, ...(await pathsIn(earlier, isFinished))];
  }

  /** The state in which each file was last read. */
  const seen = new Map<string, string>();

  async function readSeen(file: string): Promise<string> {
    seen.set(file, await stateOf(file));
    return readPrivateKey(file);
  }

  async function unseen(): Promise<string[]> {
    const all = await files();
    const states = await Promise.all(all.map(stateOf));
    return all.filter((file, index) => seen.get(file) !== states[index]);
  }

  return {
    load: async () => Promise.all((await files()).map(readSeen)),

    async readable() {
      const keys = await Promise.all(
        (await unseen()).map(async (file) => {
          try {
            return [await readSeen(file)];
          } catch (error) {
            log?.warn('A file of the wallet is left out', { file, error });
            return [];
          }
        }),
      );
      return keys.flat();
    },

    async create() {
      const key = newKey(random);
      const name = random.uuid();
      const path = join(directory, `.${name}`);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const file = await open(path, 'wx', 0o600);
      try {
        await file.writeFile(`${key}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(path, join(directory, `${name}${finished}`));
      await syncDirectory(directory);
      return key;
    },
  };
}

function isFinished(name: string): boolean {
  return name.endsWith(finished);
}

async function pathsIn(directory: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter(isWanted)
    .sort()
    .map((name) => join(directory, name));
}

/** Returns the state of a file: a change of its content or its permissions changes the time in it. */
async function stateOf(file: string): Promise<string> {
  const entry = await lstat(file, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return entry === undefined ? 'gone' : `${entry.ino} ${entry.size} ${entry.mtimeNs} ${entry.ctimeNs}`;
}

/**
 * Reads a private key. @throws Error as `readPrivateFile`, or if the file has no key; the text never contains the key
 */
export async function readPrivateKey(path: string): Promise<string> {
  const text = (await readPrivateFile(path)).trim();
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new Error(`${path}: expected 0x and 64 hexadecimal digits`);
  if (!isPrivateKey(text)) throw new Error(`${path}: expected a key of secp256k1, above 0 and below its order`);
  return text;
}

/** Generates a key: not zero, and below the order of the curve. */
function newKey(random: Random): string {
  for (;;) {
    const digits = Buffer.from(random.bytes(keyBytes)).toString('hex');
    // One in 2^128 is invalid: generate another.
    if (isPrivateKey(`0x${digits}`)) return `0x${digits}`;
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

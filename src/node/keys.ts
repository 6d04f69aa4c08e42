import { createECDH } from 'node:crypto';
import { mkdir, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readPrivateFile } from '../http/private-file.js';
import type { Random } from '../ports/random.js';

/** Keys of custom identities that were made on this node, each in a file of its own. */
export interface KeyStore {
  /** The private keys, `0x` and 64 digits. @throws Error when a file is none, or somebody else may have read it */
  load(): Promise<readonly string[]>;
  /** Makes a private key and resolves when it is on disk. */
  create(): Promise<string>;
}

export interface KeyStoreOptions {
  /** Created with the first key. */
  readonly directory: string;
  readonly random: Random;
}

const keyBytes = 32;
const finished = '.key';

/** Keys in a directory that only the owner of this process can look into (assurance S21). */
export function createKeyStore({ directory, random }: KeyStoreOptions): KeyStore {
  return {
    async load() {
      const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      const files = names.filter((name) => name.endsWith(finished)).sort();
      return Promise.all(files.map((name) => readPrivateKey(join(directory, name))));
    },

    async create() {
      const key = newKey(random);
      const path = join(directory, random.uuid());
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const file = await open(path, 'wx', 0o600);
      try {
        await file.writeFile(`${key}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(path, `${path}${finished}`);
      await syncDirectory(directory);
      return key;
    },
  };
}

/** Reads a private key. @throws Error as `readPrivateFile`, or when the file is none; the key is in no message */
export async function readPrivateKey(path: string): Promise<string> {
  const text = (await readPrivateFile(path)).trim();
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new Error(`${path}: expected 0x and 64 hexadecimal digits`);
  return text;
}

/** Not zero, and below the order of the curve. */
function newKey(random: Random): string {
  for (;;) {
    const digits = Buffer.from(random.bytes(keyBytes)).toString('hex');
    try {
      createECDH('secp256k1').setPrivateKey(digits, 'hex');
      return `0x${digits}`;
    } catch {
      // One in 2^128: another is drawn.
    }
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

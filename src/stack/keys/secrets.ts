import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../../supervisor/files/json-file.js';
import type { Layout } from '../layout.js';

/** Shorter words in a key file are not treated as secrets. */
const minCharacters = 16;
/** Certificates and hashed credentials are not secret. */
const isPublic = /\.crt$|auth\.json$/;

/** Every secret text of a stack: its private keys, also without `0x` and line by line, and its tokens. */
export async function readSecrets({ keys }: Pick<Layout, 'keys'>): Promise<readonly string[]> {
  const files = await filesIn(keys);
  const texts = await Promise.all(
    files.filter((path) => !isPublic.test(path)).map((path) => readFile(join(keys, path), 'utf8')),
  );
  const words = texts.flatMap((text) => text.replaceAll(/^-----.*-----$/gm, '').split(/\s+/));
  const secrets = words.map((word) => word.replace(/^0x/, '')).filter((word) => word.length >= minCharacters);
  return [...new Set(secrets)];
}

async function filesIn(directory: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

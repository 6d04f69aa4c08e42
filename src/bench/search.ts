import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Search } from './check/recording.js';

/** A directory or file to search. */
export interface SearchPlace {
  /** Its name in the report, such as `carol/data`. */
  readonly place: string;
  /** The owner; null if it is shared. */
  readonly party: string | null;
  readonly path: string;
}

/** A text that only these parties may have. */
export interface Secret {
  readonly canary: string;
  readonly members: readonly string[];
}

/**
 * Searches each place for each secret, as text, base64 and hexadecimal digits. Files that disappear during the search
 * are ignored.
 */
export async function searchPlaces(places: readonly SearchPlace[], secrets: readonly Secret[]): Promise<Search[]> {
  const searches: Search[] = [];
  for (const { place, party, path } of places) {
    const found = new Map(secrets.map(({ canary }): [string, string[]] => [canary, []]));
    let searchedBytes = 0;
    for (const file of await filesUnder(path)) {
      searchedBytes += await searchFile(file, found);
    }
    for (const { canary, members } of secrets) {
      searches.push({ canary, members, place, party, searchedBytes, hits: found.get(canary) ?? [] });
    }
  }
  return searches;
}

async function filesUnder(path: string): Promise<string[]> {
  const kind = await stat(path).catch(ignoreAbsent);
  if (kind?.isFile() === true) return [path];
  if (kind?.isDirectory() !== true) return [];
  const entries = (await readdir(path, { withFileTypes: true }).catch(ignoreAbsent)) ?? [];
  const inside = await Promise.all(
    entries.map((entry) => {
      const name = join(path, entry.name);
      return entry.isDirectory() ? filesUnder(name) : Promise.resolve(entry.isFile() ? [name] : []);
    }),
  );
  return inside.flat();
}

/** Searches a file and adds it to the hits of the secrets in it; resolves with the number of bytes searched. */
async function searchFile(file: string, found: ReadonlyMap<string, string[]>): Promise<number> {
  const missing = new Map([...found.keys()].map((canary) => [canary, spellingsOf(canary)]));
  const overlapBytes = Math.max(0, ...[...missing.values()].flat().map(({ length }) => length));
  let searchedBytes = 0;
  let tail = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(file)) {
      if (!Buffer.isBuffer(chunk)) throw new Error('a stream without an encoding gives bytes');
      const bytes = Buffer.concat([tail, chunk]);
      for (const [canary, spellings] of missing) {
        if (!spellings.some((spelling) => bytes.includes(spelling))) continue;
        found.get(canary)?.push(file);
        missing.delete(canary);
      }
      searchedBytes += bytes.length - tail.length;
      // A text may span two chunks.
      tail = bytes.subarray(Math.max(0, bytes.length - overlapBytes));
    }
  } catch (error) {
    ignoreAbsent(error);
  }
  return searchedBytes;
}

/**
 * All spellings of a text. In base64 it has three forms, by its offset modulo 3; the first and last letters depend on
 * the neighbouring bytes.
 */
function spellingsOf(canary: string): Buffer[] {
  const bytes = Buffer.from(canary);
  const shifted = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return Buffer.from(text.slice(shift === 0 ? 0 : 4, -2));
  });
  return [bytes, Buffer.from(bytes.toString('hex')), ...shifted];
}

function ignoreAbsent(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw error;
}

import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, describe, it } from 'vitest';
import { searchPlaces } from '../../../src/bench/search.js';

const secret = { canary: 'canary-1f2e-alice-bob', members: ['alice', 'bob'] };
let path: string;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'parley-search-'));
  await mkdir(join(path, 'inside'));
});

afterEach(async () => {
  await rm(path, { recursive: true, force: true });
});

async function hitsIn(content: string | Buffer): Promise<number> {
  await writeFile(join(path, 'inside', 'file'), content);
  const [search] = await searchPlaces([{ place: 'carol/data', party: 'carol', path }], [secret]);
  return search?.hits.length ?? -1;
}

describe('a search for a secret', () => {
  it('finds it as text, as digits and in base64 at any position', async () => {
    expect(await hitsIn(`{"value":"${secret.canary}"}`)).toBe(1);
    expect(await hitsIn(Buffer.from(secret.canary).toString('hex'))).toBe(1);
    for (const before of ['', 'a', 'ab', 'abc']) {
      expect(await hitsIn(Buffer.from(`${before}${secret.canary} and more`).toString('base64'))).toBe(1);
    }
  });

  it('finds it where a file is read in two pieces', async () => {
    for (const place of [65_530, 65_536, 131_060]) {
      expect(await hitsIn(Buffer.concat([Buffer.alloc(place), Buffer.from(secret.canary), Buffer.alloc(9)]))).toBe(1);
    }
  });

  it('finds nothing if there is nothing, and counts what it has seen', async () => {
    await writeFile(join(path, 'other'), 'canary-1f2e-alice-carol');
    const place = { place: 'carol/data', party: 'carol', path };
    const [search] = await searchPlaces([place], [secret]);
    expect(search).toEqual({ ...secret, place: 'carol/data', party: 'carol', searchedBytes: 23, hits: [] });
    const [absent] = await searchPlaces([{ ...place, path: join(path, 'absent') }], [secret]);
    expect(absent?.searchedBytes).toBe(0);
  });
});

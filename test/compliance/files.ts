import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileNotFound, type Files } from '../../src/ports/files.js';

export interface FilesUnderTest {
  readonly files: Files;
  /** Opens the files as a process does that starts after this one has died. */
  reopen(): Files;
  dispose(): Promise<void>;
}

/** The obligations of `ports/files.ts`, except what only a power failure shows, which other tests simulate. */
export function describeFiles(adapter: string, create: () => Promise<FilesUnderTest>): void {
  describe(`files: ${adapter}`, () => {
    let subject: FilesUnderTest;
    let files: Files;
    beforeEach(async () => {
      subject = await create();
      ({ files } = subject);
    });
    afterEach(() => subject.dispose());

    it('returns what was written, also to the next process', async () => {
      const bytes = randomBytes(700_000);
      await files.write('a/b/content', [bytes.subarray(0, 10), bytes.subarray(10)]);
      expect(await textOf(files, 'a/b/content')).toBe(bytes.toString('hex'));
      expect(await textOf(subject.reopen(), 'a/b/content')).toBe(bytes.toString('hex'));
    });

    it('accepts bytes from an asynchronous source', async () => {
      await files.write('content', slowly([1, 2], [3]));
      expect(await textOf(files, 'content')).toBe('010203');
    });

    it('replaces a file that is written again', async () => {
      await files.write('content', [Uint8Array.of(1, 2, 3, 4)]);
      await files.write('content', [Uint8Array.of(9)]);
      expect(await textOf(files, 'content')).toBe('09');
    });

    it('reads a part of a file, at most up to its end', async () => {
      await files.write('content', [Uint8Array.of(0, 1, 2, 3, 4, 5)]);
      expect(await textOf(files, 'content', { start: 2 })).toBe('02030405');
      expect(await textOf(files, 'content', { end: 2 })).toBe('0001');
      expect(await textOf(files, 'content', { start: 1, end: 3 })).toBe('0102');
      expect(await textOf(files, 'content', { start: 4, end: 60 })).toBe('0405');
      expect(await textOf(files, 'content', { start: 6, end: 60 })).toBe('');
    });

    it('appends at the end, creates missing files, and continues after a truncation', async () => {
      await files.append('journal', Uint8Array.of(1, 2));
      await files.append('journal', Uint8Array.of(3, 4));
      await files.sync('journal');
      await files.append('journal', Uint8Array.of(5));
      await files.truncate('journal', 3);
      await files.append('journal', Uint8Array.of(6));
      expect(await textOf(files, 'journal')).toBe('01020306');
      expect(await files.size('journal')).toBe(4);
    });

    it('appends to what an earlier process has written', async () => {
      await files.append('journal', Uint8Array.of(1));
      const later = subject.reopen();
      await later.truncate('journal', 0);
      await later.append('journal', Uint8Array.of(2));
      await later.sync('journal');
      expect(await textOf(later, 'journal')).toBe('02');
    });

    it('moves a synced file over another name', async () => {
      await files.write('new', [Uint8Array.of(1)]);
      await files.write('sub/old', [Uint8Array.of(2)]);
      await files.sync('new');
      await files.rename('new', 'sub/old');
      expect(await textOf(files, 'sub/old')).toBe('01');
      expect(await files.size('new')).toBeUndefined();
    });

    it('moves a file whose content alone is synced, and the move is durable', async () => {
      await files.write('drafts/new', [Uint8Array.of(1)]);
      await files.syncContent('drafts/new');
      await files.rename('drafts/new', 'kept');
      expect(await textOf(subject.reopen(), 'kept')).toBe('01');
      await expect(files.syncContent('absent')).rejects.toBeInstanceOf(FileNotFound);
    });

    it('refuses to rename a file that is not synced', async () => {
      await files.write('new', [Uint8Array.of(1)]);
      await expect(files.rename('new', 'final')).rejects.toMatchObject({ code: 'ERR_ASSERTION' });
      await files.sync('new');
      await files.append('new', Uint8Array.of(2));
      await expect(files.rename('new', 'final')).rejects.toMatchObject({ code: 'ERR_ASSERTION' });
      expect(await files.size('final')).toBeUndefined();
    });

    it('answers not_found for a missing file, and reports no size', async () => {
      await expect(textOf(files, 'absent')).rejects.toBeInstanceOf(FileNotFound);
      await expect(files.sync('absent')).rejects.toBeInstanceOf(FileNotFound);
      await expect(files.truncate('absent', 0)).rejects.toBeInstanceOf(FileNotFound);
      await expect(files.rename('absent', 'other')).rejects.toBeInstanceOf(FileNotFound);
      expect(await files.size('absent')).toBeUndefined();
    });

    it('removes a file, or does nothing if it is missing', async () => {
      await files.write('content', [Uint8Array.of(1)]);
      await files.remove('content');
      await files.remove('content');
      expect(await files.size('content')).toBeUndefined();
    });

    it('lists the files directly in a directory, sorted', async () => {
      for (const name of ['b', 'a', 'sub/c', 'sub/deep/d']) await files.write(name, [Uint8Array.of(1)]);
      expect(await files.list('')).toEqual(['a', 'b']);
      expect(await files.list('sub')).toEqual(['c']);
      expect(await files.list('absent')).toEqual([]);
    });

    it.each(['../up', '/etc/passwd', 'a/../../b', '', 'a//b', '.hidden', 'a\0b', 'a/', 'ä', 'x'.repeat(600)])(
      'never leaves its root, nor takes any other name than ours: %j',
      async (name) => {
        const isRefused = { code: 'ERR_ASSERTION' };
        await expect(files.write(name, [Uint8Array.of(1)])).rejects.toMatchObject(isRefused);
        await expect(files.append(name, Uint8Array.of(1))).rejects.toMatchObject(isRefused);
        await expect(textOf(files, name)).rejects.toMatchObject(isRefused);
        await expect(files.remove(name)).rejects.toMatchObject(isRefused);
      },
    );

    it('reports the free space of the disk, also before the first file', async () => {
      expect(await files.freeBytes()).toBeGreaterThan(0);
      expect(Number.isSafeInteger(await files.freeBytes())).toBe(true);
    });

    it('keeps nothing of a file whose source fails, once it is removed', async () => {
      await expect(files.write('content', failing())).rejects.toThrow('the source failed');
      await files.remove('content');
      expect(await files.list('')).toEqual([]);
    });
  });
}

/** Returns the bytes of a file in hexadecimal. */
export async function textOf(files: Files, name: string, range?: { start?: number; end?: number }): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of files.read(name, range)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('hex');
}

async function* slowly(...chunks: number[][]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    await new Promise((resolve) => setImmediate(resolve));
    yield Uint8Array.from(chunk);
  }
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1);
  throw new Error('the source failed');
}

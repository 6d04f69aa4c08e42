import { describe, expect, it } from 'vitest';
import { createMemoryFiles } from '../../../../src/adapters/files/memory.js';
import { textOf } from '../../../compliance/files.js';

describe('memory files in a power failure', () => {
  it('lose what was never synced, including the name', async () => {
    const files = createMemoryFiles();
    await files.write('content', [Uint8Array.of(1)]);
    files.crash();
    expect(await files.list('')).toEqual([]);
  });

  it('keep what was synced and lose what was appended later', async () => {
    const files = createMemoryFiles();
    await files.append('journal', Uint8Array.of(1));
    await files.sync('journal');
    await files.append('journal', Uint8Array.of(2, 3));
    files.crash();
    expect(await textOf(files, 'journal')).toBe('01');
  });

  it('may keep a first part of what was not synced', async () => {
    const files = createMemoryFiles();
    await files.append('journal', Uint8Array.of(1));
    await files.sync('journal');
    await files.append('journal', Uint8Array.of(2, 3));
    files.crash((name, unsyncedBytes) => (name === 'journal' && unsyncedBytes === 2 ? 1 : 0));
    expect(await textOf(files, 'journal')).toBe('0102');
  });

  it('restore the old content if a replacement was not synced', async () => {
    const files = createMemoryFiles();
    await files.write('content', [Uint8Array.of(1, 1)]);
    await files.sync('content');
    await files.write('content', [Uint8Array.of(2)]);
    files.crash();
    expect(await textOf(files, 'content')).toBe('0101');
  });

  it('keep a rename', async () => {
    const files = createMemoryFiles();
    await files.write('draft', [Uint8Array.of(1)]);
    await files.sync('draft');
    await files.rename('draft', 'final');
    files.crash();
    expect(await files.list('')).toEqual(['final']);
    expect(await textOf(files, 'final')).toBe('01');
  });

  it('restore a removed file unless its directory was synced since', async () => {
    const files = createMemoryFiles();
    await files.write('first', [Uint8Array.of(1)]);
    await files.sync('first');
    await files.remove('first');
    files.crash();
    expect(await files.list('')).toEqual(['first']);
    await files.remove('first');
    await files.write('second', [Uint8Array.of(1)]);
    await files.sync('second');
    files.crash();
    expect(await files.list('')).toEqual(['second']);
  });

  it('lose a truncation that was not synced', async () => {
    const files = createMemoryFiles();
    await files.append('journal', Uint8Array.of(1, 2, 3));
    await files.sync('journal');
    await files.truncate('journal', 1);
    files.crash();
    expect(await textOf(files, 'journal')).toBe('010203');
  });

  it('return a damaged byte without an error, also after a power failure', async () => {
    const files = createMemoryFiles();
    await files.write('content', [Uint8Array.of(0, 0)]);
    await files.sync('content');
    files.damage('content', 1);
    files.crash();
    expect(await textOf(files, 'content')).toBe('00ff');
  });
});

import { describe, expect, it } from 'vitest';
import { createMemoryFiles } from '../../../../src/adapters/files/memory.js';
import { textOf } from '../../../compliance/files.js';

describe('memory files under a power cut', () => {
  it('lose what was never synced, name and all', async () => {
    const files = createMemoryFiles();
    await files.write('content', [Uint8Array.of(1)]);
    files.crash();
    expect(await files.list('')).toEqual([]);
  });

  it('keep what was synced and lose what was appended after it', async () => {
    const files = createMemoryFiles();
    await files.append('journal', Uint8Array.of(1));
    await files.sync('journal');
    await files.append('journal', Uint8Array.of(2, 3));
    files.crash();
    expect(await textOf(files, 'journal')).toBe('01');
  });

  it('may keep a torn first part of what was not synced', async () => {
    const files = createMemoryFiles();
    await files.append('journal', Uint8Array.of(1));
    await files.sync('journal');
    await files.append('journal', Uint8Array.of(2, 3));
    files.crash((name, unsyncedBytes) => (name === 'journal' && unsyncedBytes === 2 ? 1 : 0));
    expect(await textOf(files, 'journal')).toBe('0102');
  });

  it('go back to the old content when a replacement was not synced', async () => {
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

  it('bring a removed file back unless its directory was synced since', async () => {
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

  it('lose a cut that was not synced', async () => {
    const files = createMemoryFiles();
    await files.append('journal', Uint8Array.of(1, 2, 3));
    await files.sync('journal');
    await files.truncate('journal', 1);
    files.crash();
    expect(await textOf(files, 'journal')).toBe('010203');
  });

  it('serve a damaged byte without a word, also after a power cut', async () => {
    const files = createMemoryFiles();
    await files.write('content', [Uint8Array.of(0, 0)]);
    await files.sync('content');
    files.damage('content', 1);
    files.crash();
    expect(await textOf(files, 'content')).toBe('00ff');
  });
});

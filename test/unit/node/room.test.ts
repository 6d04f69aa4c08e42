import { describe, expect, it } from 'vitest';
import { createMemoryFiles } from '../../../src/adapters/files/memory.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { requireRoom } from '../../../src/node/room.js';

const mebibyte = 1_048_576;

describe('a node on a disk with little space', () => {
  it('does not start, and names the free space, the required space, and the setting', async () => {
    const files = createMemoryFiles();
    const parts = { files, file: 'db', minFreeBytes: 256 * mebibyte, log: createSilentLog() };
    files.setFreeBytes(256 * mebibyte);
    await requireRoom(parts);
    files.setFreeBytes(256 * mebibyte - 1);
    await expect(requireRoom(parts)).rejects.toThrow(/255 MiB free.*256 MiB.*limits\.minFreeDisk/);
  });

  it('starts on an existing database', async () => {
    const files = createMemoryFiles();
    await files.write('db', [Buffer.from('rows')]);
    files.setFreeBytes(0);
    await requireRoom({ files, file: 'db', minFreeBytes: mebibyte, log: createSilentLog() });
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Stack } from '../../../../src/stack/places/locate.js';
import { restoreSnapshot, type Services } from '../../../../src/stack/snapshot/restoring/restore.js';
import { saveSnapshot } from '../../../../src/stack/snapshot/saving/save.js';
import { finishRestore, forgetFormer } from '../../../../src/stack/snapshot/restoring/swap.js';
import { replaceDisk } from '../fixtures/disk.js';
import { aNetwork, writeJournal } from './a-network.js';

const node = { name: 'alice', type: 'service', kind: 'node' } as const;

const journalOf = ({ layout }: Stack) => readFileSync(join(layout.chainData, 'journal'), 'utf8');

/** A network that was saved at one block and runs at the next, with both journals. */
async function aSavedNetwork() {
  const stack = await aNetwork();
  await saveSnapshot(stack, 'before');
  const saved = journalOf(stack);
  writeJournal(stack, 8);
  const service = vi.fn(() => Promise.resolve());
  const start = vi.fn<Services['start']>();
  const status = () => Promise.resolve({ services: [node] });
  const restore = () =>
    restoreSnapshot(stack, 'before', {}, { find: () => Promise.resolve({ status, service }), start });
  return { stack, saved, later: journalOf(stack), service, start, restore };
}

/** Lets renames to paths with this end fail as on a full disk, until the returned function is called. */
function fillDisk(end: string): () => void {
  let isFull = true;
  replaceDisk(({ rename }) => ({
    rename: async (from, to) => {
      if (isFull && String(to).endsWith(end)) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      await rename(from, to);
    },
  }));
  return () => {
    isFull = false;
  };
}

describe('A restore whose start fails', () => {
  test('brings the old state back and starts it', async () => {
    const { stack, later, start, restore } = await aSavedNetwork();
    start.mockRejectedValueOnce(new Error('does not start'));
    await expect(restore()).rejects.toThrow('does not start');
    expect(journalOf(stack)).toBe(later);
    expect(start).toHaveBeenCalledTimes(2);
    expect(readdirSync(stack.layout.directory).filter((name) => /^\.|^restore/.test(name))).toEqual([]);
  });

  test('keeps the new state if the old one is already deleted', async () => {
    const { stack, saved, start, restore } = await aSavedNetwork();
    start.mockImplementationOnce(async () => {
      await forgetFormer(stack.layout);
      throw new Error('fails at the end');
    });
    await expect(restore()).rejects.toThrow('fails at the end');
    expect(journalOf(stack)).toBe(saved);
    expect(start).toHaveBeenCalledTimes(1);
  });
});

describe('A restore on a full disk', () => {
  test('restarts the stack if it has changed nothing', async () => {
    const { stack, later, start, service, restore } = await aSavedNetwork();
    fillDisk('restore.json');
    await expect(restore()).rejects.toMatchObject({
      code: 'DISK_FULL',
      message: 'The disk is full: nothing was changed.',
    });
    expect(service).toHaveBeenCalledWith('alice', 'stop');
    expect(start).toHaveBeenCalledTimes(1);
    expect(journalOf(stack)).toBe(later);
    expect(readdirSync(stack.layout.directory).filter((name) => /^\.restored|^restore/.test(name))).toEqual([]);
  });

  test('is finished by the next command if it has begun to move files', async () => {
    const { stack, saved, start, restore } = await aSavedNetwork();
    const makeRoom = fillDisk('/genesis.json');
    await expect(restore()).rejects.toMatchObject({
      code: 'DISK_FULL',
      message: 'The disk is full: the next stack start continues this restore.',
    });
    expect(start).not.toHaveBeenCalled();
    makeRoom();
    await finishRestore(stack.layout);
    expect(journalOf(stack)).toBe(saved);
    for (const file of ['genesis', 'contracts', 'applied'] as const) {
      expect(readFileSync(stack.layout[file], 'utf8')).not.toBe('');
    }
  });
});

import { expect, test } from 'vitest';
import { createArmedFailpoint } from '../../../../src/adapters/failpoint/armed.js';
import { createMemoryFiles } from '../../../../src/adapters/files/memory.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createJournal, type Entry, type Journal } from '../../../../src/devchain/journal/journal.js';
import type { Files } from '../../../../src/ports/files.js';

const begin: Entry = { begin: { format: 1, chainId: 7, genesisHash: '0x00' } };
const turn = (number: number): Entry => ({ turn: [{ do: 'mine', number, time: number, hash: `0x${number}` }] });

function journalOn(files: Files, failpoints?: string, limit?: { readonly maxLineBytes: number }): Journal {
  return createJournal({ files, log: createSilentLog(), failpoint: createArmedFailpoint(failpoints), ...limit });
}

async function entriesOf(journal: Journal): Promise<Entry[]> {
  const entries: Entry[] = [];
  await journal.read(async (entry) => void entries.push(entry));
  return entries;
}

async function bytesOf(files: Files): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of files.read('journal')) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function written(...entries: Entry[]): Promise<{ bytes: Buffer; ends: number[] }> {
  const files = createMemoryFiles();
  const journal = journalOn(files);
  const ends: number[] = [];
  for (const entry of entries) {
    await journal.append(entry);
    ends.push(journal.sizeBytes());
  }
  return { bytes: await bytesOf(files), ends };
}

async function filesWith(bytes: Uint8Array): Promise<Files> {
  const files = createMemoryFiles();
  await files.write('journal', [bytes]);
  await files.sync('journal');
  return files;
}

test('a missing journal has no entries', async () => {
  expect(await entriesOf(journalOn(createMemoryFiles()))).toEqual([]);
});

test('entries are read back in order, and a journal continues at its end', async () => {
  const { bytes } = await written(begin, turn(1));
  const files = await filesWith(bytes);
  const journal = journalOn(files);
  expect(await entriesOf(journal)).toEqual([begin, turn(1)]);
  await journal.append(turn(2));
  expect(await entriesOf(journalOn(files))).toEqual([begin, turn(1), turn(2)]);
});

test('appended entries survive a power failure', async () => {
  const files = createMemoryFiles();
  await journalOn(files).append(begin);
  files.crash();
  expect(await entriesOf(journalOn(files))).toEqual([begin]);
});

test('a last entry torn at any byte is removed, and nothing else', async () => {
  const { bytes, ends } = await written(begin, turn(1), turn(2));
  const [, keptBytes = 0] = ends;
  for (let length = keptBytes; length < bytes.length; length += 1) {
    const files = await filesWith(bytes.subarray(0, length));
    const journal = journalOn(files);
    expect(await entriesOf(journal), `torn at ${length}`).toEqual([begin, turn(1)]);
    expect(await files.size('journal')).toBe(keptBytes);
    await journal.append(turn(3));
    expect(await entriesOf(journalOn(files))).toEqual([begin, turn(1), turn(3)]);
  }
});

test('a last entry with any garbled byte is removed', async () => {
  const { bytes, ends } = await written(begin, turn(1), turn(2));
  const [, keptBytes = 0] = ends;
  for (let position = keptBytes; position < bytes.length; position += 1) {
    const garbled = Buffer.from(bytes);
    garbled[position] = ~(garbled[position] ?? 0) & 0xff;
    expect(await entriesOf(journalOn(await filesWith(garbled))), `garbled at ${position}`).toEqual([begin, turn(1)]);
  }
});

test('garbage with line ends after the last good entry is removed', async () => {
  const { bytes } = await written(begin);
  const files = await filesWith(Buffer.concat([bytes, Buffer.from('\n\0\0\nabc\n {"begin"')]));
  expect(await entriesOf(journalOn(files))).toEqual([begin]);
  expect(await files.size('journal')).toBe(bytes.length);
});

test('a damaged byte before a good entry stops the start, and nothing is removed', async () => {
  const { bytes, ends } = await written(begin, turn(1), turn(2));
  const [, lastStart = 0] = ends;
  for (let position = 0; position < lastStart; position += 1) {
    const garbled = Buffer.from(bytes);
    garbled[position] = ~(garbled[position] ?? 0) & 0xff;
    const files = await filesWith(garbled);
    await expect(entriesOf(journalOn(files)), `garbled at ${position}`).rejects.toThrow('damaged at byte');
    expect(await bytesOf(files)).toEqual(garbled);
  }
});

test('an entry that could not be written or synced is not in the journal', async () => {
  for (const point of ['chain.after-journal-write', 'chain.after-fsync']) {
    const files = createMemoryFiles();
    const journal = journalOn(files, `${point}:2:error`);
    await journal.append(begin);
    await expect(journal.append(turn(1))).rejects.toThrow('could not be written');
    await journal.append(turn(2));
    expect(await entriesOf(journalOn(files))).toEqual([begin, turn(2)]);
  }
});

test('after an entry that could neither be stored nor removed the journal is neither written nor read', async () => {
  const disk = createMemoryFiles();
  let isBroken = false;
  const [first, second] = [new Error('the disk was removed'), new Error('input/output error')];
  const files: Files = {
    ...disk,
    sync: (name) => (isBroken ? Promise.reject(first) : disk.sync(name)),
    truncate: (name, sizeBytes) => (isBroken ? Promise.reject(second) : disk.truncate(name, sizeBytes)),
  };
  const journal = journalOn(files);
  await journal.append(begin);
  isBroken = true;
  await expect(journal.append(turn(1))).rejects.toMatchObject({ errors: [first, second], cause: second });
  isBroken = false;
  await expect(journal.append(turn(2))).rejects.toThrow('nothing is appended');
  await expect(entriesOf(journal)).rejects.toThrow('is not read');
});

test('a truncation removes everything after a place, also after a power failure', async () => {
  const files = createMemoryFiles();
  const journal = journalOn(files);
  await journal.append(begin);
  const place = journal.sizeBytes();
  await journal.append(turn(1));
  await journal.cut(place);
  files.crash();
  expect(await entriesOf(journalOn(files))).toEqual([begin]);
});

test('an entry that could not be read back is not written, and the longest readable one is', async () => {
  const { ends } = await written(begin, turn(1));
  const [beginBytes = 0, endBytes = 0] = ends;
  const longest = { maxLineBytes: Math.max(beginBytes, endBytes - beginBytes) };
  const files = createMemoryFiles();
  const journal = journalOn(files, undefined, longest);
  await journal.append(begin);
  await expect(journal.append({ turn: [{ do: 'accept', raw: '0'.repeat(beginBytes) }] })).rejects.toThrow('too long');
  await journal.append(turn(1));
  expect(await entriesOf(journalOn(files, undefined, longest))).toEqual([begin, turn(1)]);
});

test('an entry of more than 64 MiB, which a turn of many calls once made, is read back', async () => {
  const long: Entry = { turn: [{ do: 'accept', raw: '0'.repeat(65 * 1_024 * 1_024) }] };
  const { bytes } = await written(begin, long, turn(1));
  const entries = await entriesOf(journalOn(await filesWith(bytes)));
  expect(entries).toHaveLength(3);
  // One comparison: showing how such texts differ would take minutes.
  expect(JSON.stringify(entries[1]) === JSON.stringify(long)).toBe(true);
});

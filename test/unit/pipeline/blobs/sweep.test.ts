import { describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createMemoryFiles } from '../../../../src/adapters/files/memory.js';
import { systemNamespace } from '../../../../src/domain/network/identity.js';
import { storeSource } from '../../../../src/pipeline/blobs/incoming.js';
import { sweepBlobs } from '../../../../src/pipeline/blobs/sweep.js';
import { fetchLane, newOperation } from '../../../../src/pipeline/operations/operation.js';
import { newData } from '../../../../src/pipeline/state/data/data-row.js';
import { uuid } from '../../../support/fixtures.js';

const hashOf = (letter: string) => letter.repeat(64);
const created = '2026-01-15T10:00:00.000Z';

async function aDisk(names: readonly string[]) {
  const files = createMemoryFiles();
  for (const name of names) await files.write(name, [Uint8Array.of(1)]);
  return { files, database: createMemoryDatabase() };
}

const aBlob = (letter: string) => ({ namespace: systemNamespace, hash: hashOf(letter), sizeBytes: 1, created });
const aClaim = (letter: string, peer: string) => {
  return { namespace: systemNamespace, blob: hashOf(letter), sizeBytes: 1, peer, source: hashOf('f') };
};

describe('sweepBlobs', () => {
  it('keeps blobs of data items and claims, and removes the others with their rows', async () => {
    const { files, database } = await aDisk(['a', 'b', 'c', 'd'].map((letter) => `blobs/${hashOf(letter)}`));
    const blob = { hash: hashOf('a'), size: 1 };
    await database.transaction(async (unit) => {
      await unit.insert('blobs', ['a', 'b', 'c'].map(aBlob));
      await unit.insert('data', [
        newData('default', { id: uuid(1), validator: 'json', hash: hashOf('a'), created, blob }),
      ]);
      await unit.insert('claims', [aClaim('b', uuid(2))]);
    });
    await sweepBlobs({ files, database });
    expect(await files.list('blobs')).toEqual([hashOf('a'), hashOf('b')]);
    expect(await database.count('blobs', {})).toBe(2);
  });

  it('keeps partial files of claimed or downloading blobs, and removes the others', async () => {
    const [peer, other] = [uuid(2), uuid(3)];
    const [store, otherStore, otherSize] = [storeSource('Qm', 9), storeSource('Qn', 9), storeSource('Qm', 8)];
    const wanted = [`${hashOf('a')}.${peer}`, `${hashOf('b')}.${store}`];
    const ofOthers = [`${hashOf('a')}.${other}`, `${hashOf('b')}.${peer}`];
    const ofReferences = [
      `${hashOf('a')}.${store}`,
      ...[otherStore, otherSize, 'store'].map((at) => `${hashOf('b')}.${at}`),
    ];
    const left = [uuid(9), ...ofOthers, ...ofReferences];
    const { files, database } = await aDisk([...wanted, ...left].map((name) => `incoming/${name}`));
    const subject = { namespace: 'default', tx: '', batch: '', batchHash: '', signer: '' };
    const download = newOperation({
      id: uuid(4),
      type: 'sharedstorage_download_blob',
      lane: fetchLane,
      created,
      subject,
      input: { payloadRef: 'Qm', size: 9 },
      blob: hashOf('b'),
    });
    await database.transaction(async (unit) => {
      await unit.insert('claims', [aClaim('a', peer)]);
      await unit.insert('operations', [download]);
    });
    await sweepBlobs({ files, database });
    expect(await files.list('incoming')).toEqual(wanted.sort());
  });
});

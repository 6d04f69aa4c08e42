import { expect, test } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { claimBlobs, hasCome } from '../../../../src/pipeline/blobs/claims.js';
import type { NewRow } from '../../../../src/ports/tables/tables.js';
import { aBatch, aMessage } from '../../../compliance/database/rows.js';

const [peer, source, blob] = ['node-alice', 'a'.repeat(64), 'b'.repeat(64)];

async function hasComeWith(rows: Partial<{ message: object; batch: Partial<NewRow<'batches'>>; claim: boolean }>) {
  const database = createMemoryDatabase();
  await database.transaction(async (unit) => {
    if (rows.message !== undefined) await unit.insert('messages', [aMessage({ hash: source })]);
    if (rows.batch !== undefined) await unit.insert('batches', [aBatch({ hash: source, node: peer, ...rows.batch })]);
    if (rows.claim === true) await claimBlobs(unit, { peer, source, blobs: [{ hash: blob, size: 1 }] });
  });
  return hasCome(database, { peer, source, blob });
}

test.each([
  ['its message is stored and no longer claims it', { message: {} }, true],
  ['its batch is held and no longer claims it', { batch: { state: 'held' } }, true],
  ['its message still claims it', { message: {}, claim: true }, false],
  ['its batch still claims it', { batch: { state: 'held' }, claim: true }, false],
  ['its batch is wanted', { batch: { state: 'wanted' } }, false],
  ['its batch is void', { batch: { state: 'void' } }, false],
  ['the batch is of another node', { batch: { state: 'held', node: 'node-bob' } }, false],
  ['neither its message nor its batch is stored', {}, false],
] as const)('decides whether a blob has arrived if %s', async (_, rows, expected) => {
  expect(await hasComeWith(rows)).toBe(expected);
});

import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createContents } from '../../../../src/pipeline/aggregate/contents.js';
import type { ListedItems } from '../../../../src/ports/tables/tables.js';
import { aBatch, aDataItem, aMessage, aPin } from '../../../compliance/database/rows.js';

const file = 'f'.repeat(64);

/** Returns the hash of the file that a message waits for, in a batch that lists its items or does not. */
async function missingFileOf(lists: boolean): Promise<string | undefined> {
  const database = createMemoryDatabase();
  const item = aDataItem({ blobHash: file, blobSize: 3, seal: 'seal' });
  const message = aMessage({ hasBlobs: true });
  const { data, hasBlobs, hasDatatypes, sizeBytes } = message;
  const items: ListedItems = { data, hasBlobs, hasDatatypes, sizeBytes };
  const { id, hash } = message;
  const batch = aBatch({ state: 'held', manifest: [{ id, hash, topics: 1, ...(lists && { items }) }] });
  const { sequence } = await database.transaction(async (unit) => {
    await unit.insert('data', [item]);
    await unit.insert('messages', [message]);
    await unit.insert('batches', [batch]);
    await unit.insert('pins', [aPin()]);
    return (await unit.first('pins', { batch: batch.id })) ?? { sequence: 0 };
  });
  return database.transaction(async (unit) => {
    const contents = createContents(unit);
    const pin = { sequence, ...aPin() };
    await contents.load([pin]);
    const content = contents.of(pin);
    return content.kind === 'message' ? content.missingBlob : content.kind;
  });
}

it('a message of another node waits for its missing file', async () => {
  expect(await missingFileOf(true)).toBe(file);
});

it('a message that this node sealed waits for no file, since its author may have deleted it', async () => {
  expect(await missingFileOf(false)).toBeUndefined();
});

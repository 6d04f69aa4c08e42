import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cidFor, type OpenStore, openStore } from './open-store.js';

const sizeBytes = 12 * 1_048_576;
let store: OpenStore;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.dispose());

async function flip(cid: string, position: number): Promise<void> {
  const file = await open(join(store.directory, 'content', cid), 'r+');
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position);
  await file.write(Uint8Array.of((buffer[0] ?? 0) ^ 1), 0, 1, position);
  await file.close();
}

it('damage in the first block is an error answer that is not cached', async () => {
  const cid = await cidFor(store.url, randomBytes(sizeBytes));
  await flip(cid, 100);
  const answer = await fetch(`${store.url}/ipfs/${cid}`);
  expect(answer.status).toBe(500);
  expect(answer.headers.get('cache-control')).toBeNull();
  expect(answer.headers.get('etag')).toBeNull();
  const reason = 'its bytes do not match its CID. Add the same file again to repair it.';
  expect(await answer.json()).toEqual({ error: `PY1019: The stored content ${cid} is damaged: ${reason}` });
  const cat = await fetch(`${store.url}/api/v0/cat?arg=${cid}`, { method: 'POST' });
  expect(cat.status).toBe(500);
  expect(await cat.json()).toMatchObject({ Message: expect.stringContaining('damaged') });
});

it('damage further on cuts the answer off after intact bytes', async () => {
  const bytes = randomBytes(sizeBytes);
  const cid = await cidFor(store.url, bytes);
  await flip(cid, sizeBytes - 1);
  const answer = await fetch(`${store.url}/ipfs/${cid}`);
  expect(answer.status).toBe(200);
  let position = 0;
  const reading = async (): Promise<void> => {
    for await (const chunk of answer.body ?? []) {
      if (!bytes.subarray(position, position + chunk.length).equals(chunk)) throw new RangeError('wrong bytes');
      position += chunk.length;
    }
  };
  await expect(reading()).rejects.toThrow('terminated');
  expect(position).toBeLessThan(sizeBytes);
});

it('a short answer is verified before it is sent, so damage in its second block is an error answer', async () => {
  const blockBytes = 262_144;
  const bytes = randomBytes(2 * blockBytes);
  const cid = await cidFor(store.url, bytes);
  const request = { headers: { range: `bytes=${blockBytes - 10}-${blockBytes + 9}` } };
  const intact = await fetch(`${store.url}/ipfs/${cid}`, request);
  expect(intact.status).toBe(206);
  const expected = bytes.subarray(blockBytes - 10, blockBytes + 10);
  expect(Buffer.from(await intact.arrayBuffer()).equals(expected)).toBe(true);
  await flip(cid, blockBytes + 5);
  expect((await fetch(`${store.url}/ipfs/${cid}`, request)).status).toBe(500);
});

it('a damaged file is intact again once its content is added again', async () => {
  const bytes = randomBytes(sizeBytes);
  const cid = await cidFor(store.url, bytes);
  await flip(cid, 100);
  expect(await cidFor(store.url, bytes)).toBe(cid);
  const answer = await fetch(`${store.url}/ipfs/${cid}`);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
});

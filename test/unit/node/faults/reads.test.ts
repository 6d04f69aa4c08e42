import { expect, test } from 'vitest';
import { disturbReads } from '../../../../src/node/faults/reads.js';
import { createSystemClock } from '../../../../src/adapters/clock/system.js';
import { createMemoryStore } from '../../../../src/adapters/shared-store/memory.js';
import { createDisturbance } from '../../../../src/node/faults/disturbance.js';
import type { Fault } from '../../../../src/wire/network/faults.js';
import { aFault } from './a-fault.js';

test('A store whose reads are dropped accepts contents, and returns them once the fault is cleared', async () => {
  let faults: readonly Fault[] = [aFault('drop', 'alice')];
  const store = disturbReads(createMemoryStore(), { ofReads: () => faults }, (refuse) =>
    createDisturbance(createSystemClock(), refuse),
  );
  const name = await store.put(Buffer.from('bytes'));
  const options = { maxBytes: 10 };
  await expect(store.get(name, options)).rejects.toMatchObject({ name: 'StoreError', reason: 'unreachable' });
  const waiting = [store.get(name, options), wholeOf(store.getStream(name, { ...options, start: 2 }))];
  faults = [];
  expect((await Promise.all(waiting)).map((bytes) => Buffer.from(bytes).toString())).toEqual(['bytes', 'tes']);
});

async function wholeOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

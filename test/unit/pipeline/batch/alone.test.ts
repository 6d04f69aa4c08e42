import { describe, expect, it } from 'vitest';
import type { Flush } from '../../../../src/pipeline/batch/flushes.js';
import { about } from '../../../support/pipelines.js';
import { aSealer, storeBlobItem } from './sealer.js';

describe('a single waiting message', () => {
  /** Seals in a separate unit; acceptance does it in the unit that stores the message. */
  async function sealAlone({ database, sealer, key }: Awaited<ReturnType<typeof aSealer>>) {
    const conclude = await database.transaction((unit) => sealer.sealAlone(unit, key));
    return conclude?.();
  }

  it('is sealed in the unit that stores it', async () => {
    const flushes: Flush[] = [];
    const alone = await aSealer({ onSealed: (flush) => flushes.push(flush) });
    await alone.broadcast('a');
    expect(await sealAlone(alone)).toEqual(['operations', 'events']);
    const [[message], [batch]] = [await alone.rows('messages'), await alone.rows('batches')];
    expect(message).toMatchObject({ batch: batch?.id, batchHash: batch?.hash, txid: batch?.txid });
    expect(batch).toMatchObject({ type: 'broadcast', state: 'sealed', manifest: [{ id: message?.id, topics: 1 }] });
    expect(await alone.operations('sharedstorage_upload_batch')).toMatchObject([{ batch: batch?.id }]);
    expect(flushes).toMatchObject([{ key: alone.key, kind: 'broadcast', messages: 1 }]);
    await alone.step();
    expect(await alone.rows('batches')).toHaveLength(1);
  });

  it('is left to the step while an earlier batch of its lane is not pinned', async () => {
    const alone = await aSealer();
    await alone.broadcast('a');
    await sealAlone(alone);
    await alone.broadcast('b');
    expect(await sealAlone(alone)).toBeUndefined();
    expect(await alone.rows('batches')).toHaveLength(1);
  });

  it('blocks its lane for a step that has already read the lane as free', async () => {
    let isAdded = false;
    const alone = await aSealer({
      async beforeMessages() {
        if (isAdded) return;
        isAdded = true;
        await alone.broadcast('first');
        await sealAlone(alone);
        await alone.broadcast('second');
      },
    });
    await alone.step();
    const [first, ...others] = await alone.rows('batches');
    expect(others).toEqual([]);
    await alone.endPin('Succeeded', first?.id ?? '');
    await alone.step();
    const [, second] = await alone.rows('messages');
    expect((await alone.rows('batches')).map(({ id }) => id)).toEqual([first?.id, second?.batch]);
  });

  it.each<[string, (alone: Awaited<ReturnType<typeof aSealer>>) => Promise<unknown>]>([
    ['if another message waits too', async ({ broadcast }) => [await broadcast('a'), await broadcast('b')]],
    ['if it is private', ({ send }) => send(['bob'], ['a'])],
    ['if it is large', ({ acceptMessage }) => acceptMessage('default', about(['a'], 'x'.repeat(9_000)))],
    [
      'if it has a file',
      async ({ acceptMessage, database }) =>
        acceptMessage('default', { data: [{ id: (await storeBlobItem(database)).id }] }),
    ],
  ])('is left to the step %s', async (_, accept) => {
    const alone = await aSealer();
    await accept(alone);
    expect(await sealAlone(alone)).toBeUndefined();
    expect(await alone.rows('batches')).toEqual([]);
  });

  it('is left to the step, without reading messages, while the lane has messages left over', async () => {
    const alone = await aSealer({ batching: { maxMessages: 2 } });
    for (let count = 0; count < 3; count++) await alone.broadcast('a');
    const finish = async () => {
      await alone.step();
      await alone.endPin('Succeeded', (await alone.rows('batches')).at(-1)?.id ?? '');
    };
    await finish();
    const tables: string[] = [];
    await alone.database.transaction(async (unit) => {
      const watched = {
        ...unit,
        rows: (...query: Parameters<typeof unit.rows>) => (tables.push(query[0]), unit.rows(...query)),
      };
      expect(await alone.sealer.sealAlone(watched as typeof unit, alone.key)).toBeUndefined();
    });
    expect(tables).toEqual(['batches']);
    await finish();
    await alone.broadcast('a');
    expect(await sealAlone(alone)).toEqual(['operations', 'events']);
  });

  it('is left to the step under steady traffic', async () => {
    const alone = await aSealer({ batching: { paceMs: 200 } });
    for (let burst = 0; burst < 20; burst++) {
      for (let number = 0; number < 10; number++) await alone.broadcast('a');
      await alone.step();
      const sealed = (await alone.rows('batches')).find(({ state }) => state === 'sealed');
      if (sealed !== undefined) await alone.endPin('Succeeded', sealed.id);
      await alone.clock.advance(100);
    }
    await alone.step();
    const before = (await alone.rows('batches')).length;
    for (const { id, state } of await alone.rows('batches'))
      if (state === 'sealed') await alone.endPin('Succeeded', id);
    await alone.broadcast('a');
    expect(await sealAlone(alone)).toBeUndefined();
    expect(await alone.rows('batches')).toHaveLength(before);
  });
});

import { describe, expect, it } from 'vitest';
import type { Flush } from '../../../../src/pipeline/batch/flushes.js';
import { about } from '../../../support/pipelines.js';
import { aSealer, holdBlob } from './sealer.js';

describe('a message that waits alone', () => {
  /** Seals in a unit of its own, as the acceptance does in the unit that stores the message. */
  async function sealing({ database, sealer, key }: Awaited<ReturnType<typeof aSealer>>) {
    const conclude = await database.transaction((unit) => sealer.sealAlone(unit, key));
    return conclude?.();
  }

  it('is sealed in the unit that has it, as the step would', async () => {
    const flushes: Flush[] = [];
    const alone = await aSealer({ onSealed: (flush) => flushes.push(flush) });
    await alone.broadcast('a');
    expect(await sealing(alone)).toEqual(['operations', 'events']);
    const [[message], [batch]] = [await alone.rows('messages'), await alone.rows('batches')];
    expect(message).toMatchObject({ batch: batch?.id, batchHash: batch?.hash, txid: batch?.txid });
    expect(batch).toMatchObject({ type: 'broadcast', state: 'sealed', manifest: [{ id: message?.id, topics: 1 }] });
    expect(await alone.operations('sharedstorage_upload_batch')).toMatchObject([{ batch: batch?.id }]);
    expect(flushes).toMatchObject([{ key: alone.key, kind: 'broadcast', messages: 1 }]);
    await alone.step();
    expect(await alone.rows('batches')).toHaveLength(1);
  });

  it('is left to the step while a batch of its key and kind is not pinned', async () => {
    const alone = await aSealer();
    await alone.broadcast('a');
    await sealing(alone);
    await alone.broadcast('b');
    expect(await sealing(alone)).toBeUndefined();
    expect(await alone.rows('batches')).toHaveLength(1);
  });

  it('has its lane for itself, though the step has seen the lane free before', async () => {
    let hasCome = false;
    const alone = await aSealer({
      async beforeMessages() {
        if (hasCome) return;
        hasCome = true;
        await alone.broadcast('first');
        await sealing(alone);
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
    ['that another one waits beside', async ({ broadcast }) => [await broadcast('a'), await broadcast('b')]],
    ['that is private', ({ send }) => send(['bob'], ['a'])],
    ['that is large', ({ acceptMessage }) => acceptMessage('default', about(['a'], 'x'.repeat(9_000)))],
    [
      'of a file',
      async ({ acceptMessage, database }) =>
        acceptMessage('default', { data: [{ id: (await holdBlob(database)).id }] }),
    ],
  ])('is left to the step: one %s', async (_, accept) => {
    const alone = await aSealer();
    await accept(alone);
    expect(await sealing(alone)).toBeUndefined();
    expect(await alone.rows('batches')).toEqual([]);
  });

  it('is left to the step, and not even looked for, where the step has left messages behind', async () => {
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
    expect(await sealing(alone)).toEqual(['operations', 'events']);
  });

  it('is left to the step under steady traffic, which gathers it with others', async () => {
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
    expect(await sealing(alone)).toBeUndefined();
    expect(await alone.rows('batches')).toHaveLength(before);
  });
});

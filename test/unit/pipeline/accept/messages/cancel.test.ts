import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createCancelBatch } from '../../../../../src/pipeline/accept/messages/cancel.js';
import { createRetryOperation } from '../../../../../src/pipeline/accept/messages/retry.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { uuid } from '../../../../support/fixtures.js';
import { flush } from '../../event-loop.js';
import { aSealer } from '../../batch/sealer.js';
import { own } from './acceptance.js';

const network = `0x${'e'.repeat(40)}`;

/** Creates a private batch of two messages whose pin has failed permanently, after one that is pinned. */
async function aFailedBatch() {
  const sealer = await aSealer();
  const { send, step, rows, endPin, database, bus } = sealer;
  await send(['bob'], ['a']);
  await step();
  await endPin('Succeeded', (await rows('batches'))[0]?.id ?? '');
  await send(['bob'], ['a', 'b']);
  await send(['bob'], ['a']);
  await step();
  const id = (await rows('batches'))[1]?.id ?? '';
  await endPin('Failed', id);
  const clock = createManualClock();
  const cancel = createCancelBatch({ database, own, bus, clock });
  const retry = createRetryOperation({ database, blockchain: { network }, bus, clock, random: createSeededRandom(3) });
  const pin = (await sealer.operations('blockchain_pin_batch'))[1];
  return { ...sealer, cancel: (batch: string) => cancel('default', batch), retry, id, pinId: pin?.id ?? '' };
}

describe('the cancellation of a batch', () => {
  it('cancels its messages, without an event or a time of decision', async () => {
    const { cancel, id, rows } = await aFailedBatch();
    await cancel(id);
    expect((await rows('batches')).map(({ state }) => state)).toEqual(['pinned', 'cancelled']);
    const [, second, third] = await rows('messages');
    expect([second, third]).toMatchObject(Array(2).fill({ state: 'cancelled', confirmed: null, batch: id }));
    expect((await rows('events')).map(({ type }) => type)).not.toContain('message_rejected');
    expect((await rows('events')).map(({ type }) => type)).not.toContain('message_confirmed');
  });

  it('frees its nonces for the next batch, and unblocks the lane', async () => {
    const { cancel, id, rows, send, step, bus } = await aFailedBatch();
    await send(['bob'], ['b', 'a']);
    await step();
    expect(await rows('batches')).toHaveLength(2);
    let isRung = false;
    void bus
      .listen('messages')
      .wait(new AbortController().signal)
      .then(() => (isRung = true));
    await cancel(id);
    await flush();
    expect(isRung).toBe(true);
    await step();
    expect(await rows('batches')).toHaveLength(3);
    expect((await rows('messages')).map(({ nonces }) => nonces)).toEqual([[0], [1, 0], [2], [0, 1]]);
  });

  it('is final for the batch and its pin', async () => {
    const { cancel, id, retry, pinId } = await aFailedBatch();
    await cancel(id);
    expect(await codeOfAsync(() => cancel(id))).toBe('FF10466');
    expect(await codeOfAsync(() => retry('default', pinId))).toBe('PY1301');
  });

  it('is refused for a pinned batch, a batch of another member and an unknown batch', async () => {
    const { cancel, rows, database } = await aFailedBatch();
    const [pinned] = await rows('batches');
    expect(await codeOfAsync(() => cancel(pinned?.id ?? ''))).toBe('FF10466');
    expect(await codeOfAsync(() => cancel(uuid(404)))).toBe('FF10109');
    if (pinned === undefined) throw new Error('There is no batch');
    const { sequence: _, ...row } = pinned;
    const foreign = { ...row, id: uuid(7), signer: '0xb0b', state: 'wanted' } as const;
    await database.transaction((unit) => unit.insert('batches', [foreign]));
    expect(await codeOfAsync(() => cancel(uuid(7)))).toBe('FF10466');
  });

  it('is refused once a later batch of its author has the nonces after its own, which would be void', async () => {
    const { cancel, id, rows, database } = await aFailedBatch();
    const [first] = await rows('nonces');
    await database.transaction(async (unit) => {
      await unit.update('nonces', { context: first?.context ?? '' }, { nonce: (first?.nonce ?? 0) + 1 });
    });
    expect(await codeOfAsync(() => cancel(id))).toBe('FF10466');
    expect((await rows('messages')).map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']);
  });

  it('is refused while a retry of the pin can still be mined', async () => {
    const { cancel, id, retry, pinId, rows } = await aFailedBatch();
    await retry('default', pinId);
    expect(await codeOfAsync(() => cancel(id))).toBe('FF10468');
    expect((await rows('messages')).map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']);
  });

  it('is refused for a broadcast whose payload is not in the store yet', async () => {
    const { cancel, broadcast, step, rows } = await aFailedBatch();
    await broadcast('a');
    await step();
    expect(await codeOfAsync(async () => cancel((await rows('batches'))[2]?.id ?? ''))).toBe('FF10468');
  });
});

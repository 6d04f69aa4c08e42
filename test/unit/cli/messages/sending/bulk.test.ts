import { describe, expect, it } from 'vitest';
import { type BulkOptions, sendAll } from '../../../../../src/cli/messages/sending/bulk.js';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let n = 1; n <= count; n++) yield await Promise.resolve(n);
}

function options(changes: Partial<BulkOptions<number, number>> = {}): BulkOptions<number, number> {
  return {
    items: numbers(5),
    send: (n) => Promise.resolve(n),
    ratePerSecond: undefined,
    concurrency: 1,
    isKeepGoing: false,
    sent: () => Promise.resolve(),
    failed: () => Promise.resolve(),
    ...changes,
  };
}

const failAt = (bad: number) => (n: number) => (n === bad ? Promise.reject(new Error(`no ${n}`)) : Promise.resolve(n));

describe('sending many', () => {
  it('keeps the order with one at a time', async () => {
    const sent: number[] = [];
    const result = await sendAll(options({ sent: async (n) => void sent.push(n) }));
    expect(sent).toEqual([1, 2, 3, 4, 5]);
    expect(result).toMatchObject({ sent: 5, failed: 0 });
  });

  it('has no more in progress than allowed', async () => {
    let underWay = 0;
    let most = 0;
    const send = async (n: number) => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return n;
    };
    await sendAll(options({ items: numbers(20), send, concurrency: 3 }));
    expect(most).toBe(3);
  });

  it('stops at the first failure and throws it', async () => {
    const sent: number[] = [];
    const send = failAt(3);
    await expect(sendAll(options({ send, sent: async (n) => void sent.push(n) }))).rejects.toThrow('no 3');
    expect(sent).toEqual([1, 2]);
  });

  it('continues after a failure on request, and counts', async () => {
    const failures: unknown[] = [];
    const failed = async (error: unknown) => void failures.push(error);
    const result = await sendAll(options({ send: failAt(3), isKeepGoing: true, failed }));
    expect(result).toMatchObject({ sent: 4, failed: 1 });
    expect(failures).toHaveLength(1);
  });

  it('starts no faster than its rate', async () => {
    // The fifth starts after four intervals of 5 ms, however early timers fire.
    for (let time = 0; time < 20; time++) {
      const result = await sendAll(options({ ratePerSecond: 200 }));
      expect(result.spentMs).toBeGreaterThanOrEqual(20);
    }
  });
});

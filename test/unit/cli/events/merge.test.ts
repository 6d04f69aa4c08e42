import { describe, expect, it } from 'vitest';
import { type Merged, merge, type MergeOptions } from '../../../../src/cli/events/merge.js';

const inArrival: MergeOptions<string> = { timeOf: () => undefined, stop: () => undefined };
/** The digits of an item are its time. */
const byTime: MergeOptions<string> = { timeOf: (item) => /\d+/.exec(item)?.[0], stop: () => undefined };

async function* items(...values: readonly string[]): AsyncGenerator<string, void> {
  for (const value of values) yield await Promise.resolve(value);
}

/** A stream that catches up until it has yielded its last item. */
function past(...values: readonly string[]): Merged<string> {
  let given = 0;
  const counted = async function* (): AsyncGenerator<string, void> {
    for await (const value of items(...values)) {
      given++;
      yield value;
    }
  };
  return { items: counted(), isBehind: () => given < values.length };
}

function current(stream: AsyncGenerator<string, void>): Merged<string> {
  return { items: stream, isBehind: () => false };
}

async function all(stream: AsyncGenerator<string>): Promise<string[]> {
  const taken: string[] = [];
  for await (const item of stream) taken.push(item);
  return taken;
}

describe('merged streams', () => {
  it('yield every item of each, in its own order', async () => {
    const streams = [items('a1', 'a2', 'a3'), items(), items('b1', 'b2')].map(current);
    const taken = await all(merge(streams, inArrival));
    expect(taken.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
    expect(taken.filter((item) => item.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(taken.filter((item) => item.startsWith('b'))).toEqual(['b1', 'b2']);
  });

  it('yield past items by time, and each stream in its own order', async () => {
    const streams = [past('a2', 'a5', 'a6'), past('b1', 'b4', 'b3', 'b7'), past('c0')];
    expect(await all(merge(streams, byTime))).toEqual(['c0', 'b1', 'a2', 'b4', 'b3', 'a5', 'a6', 'b7']);
  });

  it('let an item without a time pass', async () => {
    const streams = [past('a2', 'a3'), past('open', 'b1')];
    const taken = await all(merge(streams, byTime));
    expect(taken.filter((item) => item !== 'open')).toEqual(['b1', 'a2', 'a3']);
  });

  it('do not wait long if one has a past and is silent', async () => {
    let stop: (() => void) | undefined;
    async function* silent(): AsyncGenerator<string, void> {
      await new Promise<void>((resolve) => {
        stop = resolve;
      });
      yield 'b0';
    }
    const streams = [past('a1', 'a2'), { items: silent(), isBehind: () => true }];
    const merged = merge(streams, { ...byTime, maxHoldMs: 1 });
    expect((await merged.next()).value).toBe('a1');
    expect((await merged.next()).value).toBe('a2');
    stop?.();
    expect((await merged.next()).value).toBe('b0');
  });

  it('do not wait for a silent one', async () => {
    let stop: (() => void) | undefined;
    async function* silent(): AsyncGenerator<string, void> {
      await new Promise<void>((resolve) => {
        stop = resolve;
      });
      yield 'late';
    }
    const merged = merge([silent(), items('a')].map(current), byTime);
    expect((await merged.next()).value).toBe('a');
    const next = merged.next();
    stop?.();
    expect((await next).value).toBe('late');
  });

  it('fail if one fails', async () => {
    async function* broken(): AsyncGenerator<string, void> {
      yield await Promise.resolve('x');
      throw new Error('broken');
    }
    await expect(all(merge([broken(), items('a')].map(current), inArrival))).rejects.toThrow('broken');
    await expect(all(merge([current(broken()), past('1', '2', '3')], byTime))).rejects.toThrow('broken');
  });

  it('let the others finish when the reader leaves, including those that wait for their next item', async () => {
    const ended: string[] = [];
    let stop: (() => void) | undefined;
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    async function* waiting(name: string): AsyncGenerator<string, void> {
      try {
        yield await Promise.resolve(name);
        await stopped;
      } finally {
        await Promise.resolve();
        ended.push(name);
      }
    }
    for (const options of [inArrival, byTime]) {
      const merged = merge([waiting('1'), waiting('2')].map(current), { ...options, stop: () => stop?.() });
      await merged.next();
      await merged.next();
      await merged.return(undefined);
      expect(ended.splice(0).toSorted()).toEqual(['1', '2']);
    }
  });
});

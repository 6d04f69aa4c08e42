import { describe, expect, it } from 'vitest';
import { merge } from '../../../src/cli/merge.js';

async function* items(...values: readonly string[]): AsyncGenerator<string> {
  for (const value of values) yield await Promise.resolve(value);
}

async function all(stream: AsyncGenerator<string>): Promise<string[]> {
  const taken: string[] = [];
  for await (const item of stream) taken.push(item);
  return taken;
}

describe('merged streams', () => {
  it('give every item of each, in its own order', async () => {
    const taken = await all(merge([items('a1', 'a2', 'a3'), items(), items('b1', 'b2')]));
    expect(taken.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
    expect(taken.filter((item) => item.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(taken.filter((item) => item.startsWith('b'))).toEqual(['b1', 'b2']);
  });

  it('do not wait for a silent one', async () => {
    let stop: (() => void) | undefined;
    async function* silent(): AsyncGenerator<string> {
      await new Promise<void>((resolve) => {
        stop = resolve;
      });
      yield 'late';
    }
    const merged = merge([silent(), items('a')]);
    expect((await merged.next()).value).toBe('a');
    const next = merged.next();
    stop?.();
    expect((await next).value).toBe('late');
  });

  it('fail when one fails', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield await Promise.resolve('x');
      throw new Error('broken');
    }
    await expect(all(merge([broken(), items('a')]))).rejects.toThrow('broken');
  });

  it('end the others when the reader leaves', async () => {
    let isEnded = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield await Promise.resolve('x');
      } finally {
        isEnded = true;
      }
    }
    const merged = merge([endless()]);
    await merged.next();
    await merged.return(undefined);
    await Promise.resolve();
    expect(isEnded).toBe(true);
  });
});

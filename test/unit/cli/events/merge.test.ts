import { describe, expect, it } from 'vitest';
import { merge } from '../../../../src/cli/events/merge.js';

const nothing = () => undefined;

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
    const taken = await all(merge([items('a1', 'a2', 'a3'), items(), items('b1', 'b2')], nothing));
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
    const merged = merge([silent(), items('a')], nothing);
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
    await expect(all(merge([broken(), items('a')], nothing))).rejects.toThrow('broken');
  });

  it('let the others finish when the reader leaves, those too that wait for their next item', async () => {
    const ended: string[] = [];
    let stop: (() => void) | undefined;
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    async function* waiting(name: string): AsyncGenerator<string> {
      try {
        yield await Promise.resolve(name);
        await stopped;
      } finally {
        await Promise.resolve();
        ended.push(name);
      }
    }
    const merged = merge([waiting('a'), waiting('b')], () => stop?.());
    await merged.next();
    await merged.next();
    await merged.return(undefined);
    expect(ended.toSorted()).toEqual(['a', 'b']);
  });
});

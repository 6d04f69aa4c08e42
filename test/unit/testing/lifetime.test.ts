import { describe, expect, it } from 'vitest';
import { createLifetime } from '../../../src/testing/lifetime.js';
import { flush } from '../pipeline/event-loop.js';

/** Work that ends when the test says so. */
function pending() {
  let [resolve, reject] = [(_result: string): void => undefined, (_error: Error): void => undefined];
  const promise = new Promise<string>((...settlers) => {
    [resolve, reject] = settlers;
  });
  return { work: () => promise, resolve, reject };
}

describe('the lifetime of a network', () => {
  it.each<[string, (work: ReturnType<typeof pending>) => void]>([
    ['that succeeds', ({ resolve }) => resolve('saved')],
    ['that fails', ({ reject }) => reject(new Error('refused'))],
  ])('ends after work in progress %s', async (_, settle) => {
    const removed: string[] = [];
    const lifetime = createLifetime('dev', async () => void removed.push('dev'));
    const saving = pending();
    const saved = lifetime.during(saving.work).catch((error: Error) => error.message);
    const ends = [lifetime.end(), lifetime.end()];
    await flush();
    expect(removed).toEqual([]);
    settle(saving);
    await Promise.all(ends);
    expect(await saved).toMatch(/saved|refused/);
    expect(removed).toEqual(['dev']);
  });

  it('refuses work after its end', async () => {
    const lifetime = createLifetime('dev', async () => undefined);
    const ending = lifetime.end();
    await expect(lifetime.during(async () => 'saved')).rejects.toThrow('The stack dev was stopped.');
    await ending;
  });
});

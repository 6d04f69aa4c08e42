import { expect, it } from 'vitest';
import { createApi } from '../../../../src/devchain/api.js';
import { createCallWatch } from '../../../../src/devchain/rpc/call-watch.js';

it('counts the time since the last answer while calls wait', async () => {
  let nowMs = 100;
  const watch = createCallWatch(() => nowMs);
  const ends: (() => void)[] = [];
  const call = (): Promise<void> => watch.during(() => new Promise((resolve) => ends.push(resolve)));
  expect(watch.silentMs()).toBe(0);
  const calls = [call(), call()];
  nowMs = 400;
  expect(watch.silentMs()).toBe(300);
  void call();
  expect(watch.silentMs()).toBe(300);
  ends[0]?.();
  await calls[0];
  expect(watch.silentMs()).toBe(0);
  nowMs = 450;
  expect(watch.silentMs()).toBe(50);
});

it('counts nothing while no call waits, even if the last one failed', async () => {
  let nowMs = 0;
  const watch = createCallWatch(() => nowMs);
  await expect(watch.during(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  nowMs = 60_000;
  expect(watch.silentMs()).toBe(0);
});

it.each([
  [5_000, { ok: true, block: 7 }],
  [
    5_001,
    { ok: false, block: 7, problem: 'No call was answered for more than 5 s; a long call keeps the chain busy.' },
  ],
])('a chain that was silent for %d ms says of its health %j', async (silentMs, expected) => {
  const rpc = { answer: () => Promise.resolve(undefined), silentMs: () => silentMs };
  const [liveness] = createApi({ rpc, turns: { head: () => ({ number: 7 }) } as never, maxRequestBytes: 1 });
  const ctx = { path: '/livez', method: 'GET', body: undefined };
  await liveness?.(ctx as never, () => Promise.reject(new Error('it is answered here')));
  expect(ctx.body).toBe(JSON.stringify(expected));
});

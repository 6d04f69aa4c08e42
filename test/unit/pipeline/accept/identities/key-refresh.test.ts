import { expect, test } from 'vitest';
import { createKeyRefresh } from '../../../../../src/pipeline/accept/identities/key-refresh.js';

function aWallet() {
  const added: string[] = [];
  const readings: ((keys: readonly string[]) => void)[] = [];
  const failures: ((error: Error) => void)[] = [];
  const read = () =>
    new Promise<readonly string[]>((resolve, reject) => {
      readings.push(resolve);
      failures.push(reject);
    });
  const refresh = createKeyRefresh(read, (key) => added.push(key));
  return { refresh, added, readings, failures };
}

test('concurrent requests share one reading of the wallet', async () => {
  const { refresh, added, readings } = aWallet();
  const all = Promise.all([refresh(), refresh(), refresh()]);
  await expect.poll(() => readings.length).toBe(1);
  readings[0]?.(['a', 'b']);
  await all;
  expect([added, readings.length]).toEqual([['a', 'b'], 1]);
});

test('requests during a reading share the next one, also if the first fails', async () => {
  const { refresh, added, readings, failures } = aWallet();
  const first = refresh();
  await expect.poll(() => readings.length).toBe(1);
  const others = Promise.all([refresh(), refresh()]);
  failures[0]?.(new Error('no wallet'));
  await expect(first).rejects.toThrow('no wallet');
  await expect.poll(() => readings.length).toBe(2);
  readings[1]?.(['c']);
  await others;
  expect([added, readings.length]).toEqual([['c'], 2]);
});

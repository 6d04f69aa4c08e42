import { describe, expect, it } from 'vitest';
import { watchProcesses } from '../../../src/bench/processes.js';

describe.runIf(process.platform === 'linux')('a watch on processes', () => {
  it('reports the usage of a living process', async () => {
    const watch = await watchProcesses([{ name: 'this', pid: process.pid }]);
    const [usage] = await watch.stop();
    expect(usage?.cpuSeconds).toBeGreaterThanOrEqual(0);
    expect(usage?.peakPssBytes).toBeGreaterThan(1_000_000);
  });

  it('reports nothing for a process that does not exist', async () => {
    const watch = await watchProcesses([{ name: 'nobody', pid: 2 ** 30 }]);
    expect(await watch.stop()).toEqual([
      { name: 'nobody', pid: 2 ** 30, cpuSeconds: null, peakPssBytes: null, peakRssBytes: null },
    ]);
  });
});

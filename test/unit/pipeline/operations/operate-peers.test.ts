import { describe, expect, it } from 'vitest';
import type { AttemptResult, Settlement } from '../../../../src/pipeline/operations/attempt.js';
import { anOperator, done, insert, numbers, unreachable } from './operations.js';
import { flush } from '../event-loop.js';

describe('the lanes of peers', () => {
  it('runs the operations of a lane that is added later, also those from before a restart', async () => {
    const moreLanes: Record<string, number> = {};
    const { operator, database, bus, begun } = anOperator(async () => done, { moreLanes });
    await insert(database, [1], { lane: 'peer:x', status: 'Pending' });
    await insert(database, [2], { lane: 'peer:x' });
    operator.start();
    await flush();
    expect(begun).toEqual([]);
    moreLanes['peer:x'] = 8;
    bus.ring('operations');
    await flush();
    expect(begun).toEqual(['2@0', '1@0']);
    await operator.stop();
  });

  it('does not delay a peer behind another that is unreachable', async () => {
    const moreLanes = { 'peer:away': 8, 'peer:here': 8 };
    const isAway = (id: number) => id <= 100;
    const { operator, database, bus, begun } = anOperator(async (id) => (isAway(id) ? unreachable : done), {
      moreLanes,
    });
    await insert(database, numbers(100), { lane: 'peer:away' });
    operator.start();
    await flush();
    const before = begun.length;
    await insert(database, [101, 102], { lane: 'peer:here' });
    bus.ring('operations');
    await flush();
    expect(begun.slice(before)).toEqual(['101@0', '102@0']);
    await operator.stop();
  });

  it('repeats the operations of a lane at once when another lane of the same service succeeds', async () => {
    for (const [first, second] of [
      ['peer:x', 'blobs:x'],
      ['blobs:x', 'peer:x'],
      ['fetch', 'fetch-blobs:x'],
      ['fetch-blobs:x', 'fetch'],
      ['fetch-blobs:x', 'fetch-blobs:y'],
    ] as const) {
      const answers: AttemptResult<Settlement>[] = [unreachable];
      const run = async () => answers.shift() ?? done;
      const { operator, database, bus, begun } = anOperator(run, { moreLanes: { [first]: 1, [second]: 1 } });
      await insert(database, [1], { lane: first });
      operator.start();
      await flush();
      expect(operator.away()).toMatchObject([{ lane: first }]);
      await insert(database, [2], { lane: second });
      bus.ring('operations');
      await flush();
      expect(operator.away()).toEqual([]);
      expect(begun).toEqual(['1@0', '2@0', '1@0']);
      await operator.stop();
    }
  });

  it('repeats the operations for a peer at once when the peer is revived', async () => {
    const answers: AttemptResult<Settlement>[] = [unreachable, done];
    const run = async () => answers.shift() ?? done;
    const { operator, database, begun } = anOperator(run, { moreLanes: { 'peer:x': 1 } });
    await insert(database, [1], { lane: 'peer:x' });
    operator.start();
    await flush();
    expect(operator.away()).toMatchObject([{ lane: 'peer:x' }]);
    operator.revive('peer:x');
    operator.revive('peer:unknown');
    await flush();
    expect(begun).toEqual(['1@0', '1@0']);
    expect(operator.away()).toEqual([]);
    await operator.stop();
  });
});

import { describe, expect, onTestFinished, test } from 'vitest';
import { createWorkerJudge } from '../../../../src/adapters/judge/worker.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { currentRules } from '../../../../src/domain/network/network-rules.js';
import { textOf } from '../../../../src/wire/json/json.js';

/**
 * A thread that never answers a schema named `endless`, dies at one named `deadly`, returns its thread id for one named
 * `count`, and accepts all others.
 */
const thread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ input }) => {
      if (input.schema.includes('endless')) for (;;);
      if (input.schema.includes('deadly')) process.exit(3);
      if (input.schema.includes('count')) return parentPort.postMessage({ answer: { problem: String(threadId) } });
      parentPort.postMessage({ answer: input.schema.includes('broken') ? { problem: 'x' } : {} });
    });`)}`,
);
const { validation: rules } = currentRules;
const asked = (text: string) => ({ schema: textOf(text), rules });
const endless = asked('endless');
const deadly = asked('deadly');
const good = asked('good');
const asking = { lane: 'verdicts', limitMs: 60_000 } as const;

function aJudge(options: { readonly maxWaiting?: number; readonly idleMs?: number } = {}) {
  const judge = createWorkerJudge({ log: createSilentLog(), thread, ...options });
  onTestFinished(() => judge.close());
  return judge;
}

describe('a judge in threads', () => {
  test('abandons what does not end in time, and continues with the next', async () => {
    const judge = aJudge();
    const late = judge.ask('schema', endless, { ...asking, limitMs: 50 });
    const next = judge.ask('schema', good, asking);
    await expect(late).rejects.toMatchObject({ reason: 'late' });
    expect(await next).toEqual({});
  });

  test('loses only the question at which its thread died', async () => {
    const judge = aJudge();
    const answers = [judge.ask('schema', deadly, asking), judge.ask('schema', good, asking)];
    await expect(answers[0]).rejects.toMatchObject({ reason: 'died' });
    expect(await answers[1]).toEqual({});
  });

  test('is not blocked on one lane by a long judgement on another', async () => {
    const judge = aJudge();
    const stop = new AbortController();
    const stuck = judge.ask('schema', endless, { ...asking, signal: stop.signal });
    expect(await judge.ask('schema', good, { ...asking, lane: 'requests' })).toEqual({});
    stop.abort();
    await expect(stuck).rejects.toMatchObject({ reason: 'stopped' });
    expect(await judge.ask('schema', good, asking)).toEqual({});
  });

  test('uses an idle thread, whatever the lane, and starts another if there is more work', async () => {
    const judge = aJudge();
    const count = asked('count');
    const first = await judge.ask('schema', count, { ...asking, lane: 'downloads' });
    expect(await judge.ask('schema', count, asking)).toEqual(first);
    const stop = new AbortController();
    const stuck = judge.ask('schema', endless, { ...asking, signal: stop.signal });
    expect(await judge.ask('schema', count, { ...asking, lane: 'requests' })).not.toEqual(first);
    stop.abort();
    await expect(stuck).rejects.toMatchObject({ reason: 'stopped' });
  });

  test('refuses questions beyond its limit', async () => {
    const judge = aJudge({ maxWaiting: 1 });
    const waiting = Promise.allSettled([judge.ask('schema', endless, asking), judge.ask('schema', good, asking)]);
    await expect(judge.ask('schema', good, asking)).rejects.toMatchObject({ reason: 'busy' });
    await judge.close();
    const stopped = { status: 'rejected', reason: { reason: 'stopped' } };
    expect(await waiting).toMatchObject([stopped, stopped]);
  });

  test('answers again after its thread was ended for idleness', async () => {
    const judge = aJudge({ idleMs: 1 });
    const thread = await judge.ask('schema', asked('count'), asking);
    await expect.poll(() => judge.ask('schema', asked('count'), asking)).not.toEqual(thread);
    expect(await judge.ask('schema', asked('broken'), asking)).toEqual({ problem: 'x' });
  });
});

import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createInvalidator } from '../../../ui/src/live/invalidator.js';

/** A time after which every touch has taken effect. */
const afterTouchMs = 3_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A list that is shown, whose reads end when the test answers them. */
function aShownList() {
  const queries = new QueryClient();
  const invalidator = createInvalidator(queries, 'default', Object.assign(new EventTarget(), { hidden: false }));
  const reads: { readonly signal: AbortSignal; readonly answer: (rows: string) => void }[] = [];
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>((answer) => void reads.push({ signal, answer }));
  const shown = new QueryObserver(queries, { queryKey: ['default', 'messages'], queryFn, staleTime: Infinity });
  const leave = shown.subscribe(() => undefined);
  const answer = async (rows: string) => {
    reads.at(-1)?.answer(rows);
    await vi.advanceTimersByTimeAsync(afterTouchMs);
  };
  const touch = async () => {
    invalidator.touch('messages');
    await vi.advanceTimersByTimeAsync(afterTouchMs);
  };
  const stop = () => {
    leave();
    invalidator.stop();
    queries.clear();
  };
  return { reads, answer, touch, shown: () => shown.getCurrentResult().data, stop };
}

describe('a list that is read while a change comes', () => {
  it('is read again, since the first answer may be older than the change', async () => {
    const list = aShownList();
    await list.touch();
    expect(list.reads).toHaveLength(1);
    await list.answer('old');
    expect(list.reads).toHaveLength(2);
    await list.answer('new');
    expect([list.shown(), list.reads.length]).toEqual(['new', 2]);
    list.stop();
  });

  it('shows each answer, also if the node answers more slowly than changes come', async () => {
    const list = aShownList();
    await list.answer('first');
    for (let change = 0; change < 3; change++) await list.touch();
    expect([list.reads.length, list.reads[1]?.signal.aborted]).toEqual([2, false]);
    await list.answer('second');
    expect([list.shown(), list.reads.length]).toEqual(['second', 3]);
    list.stop();
  });
});

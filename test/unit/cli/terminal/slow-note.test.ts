import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteWhileWaiting } from '../../../../src/cli/terminal/slow-note.js';
import { memoryOutput } from '../memory-output.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a long wait names the missing parties, and again when they are fewer', async () => {
  const { output, err } = memoryOutput();
  let missing = ['bob', 'carol'];
  const end = noteWhileWaiting(output, () => missing);
  await vi.advanceTimersByTimeAsync(900);
  expect(err()).toBe('');
  await vi.advanceTimersByTimeAsync(2_000);
  missing = ['carol'];
  await vi.advanceTimersByTimeAsync(2_000);
  end();
  missing = [];
  await vi.advanceTimersByTimeAsync(2_000);
  expect(err()).toBe('Waiting for bob, carol …\nWaiting for carol …\n');
});

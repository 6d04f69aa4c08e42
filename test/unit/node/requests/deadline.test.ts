import { expect, test } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { untilDeadline } from '../../../../src/node/requests/deadline.js';
import { codeOfAsync } from '../../../support/codes.js';

const forever = () => new Promise<void>(() => undefined);

test.each([
  ['', 120_000],
  ['2', 2_000],
  ['2s', 2_000],
  ['150ms', 150],
  ['3m', 180_000],
  ['99999999', 600_000],
])('with the header "%s" the request ends after %i ms with FF00166', async (header, deadlineMs) => {
  const clock = createManualClock();
  let ended = false;
  const code = codeOfAsync(() => untilDeadline(clock, { header }, forever)).finally(() => {
    ended = true;
  });
  await clock.advance(deadlineMs - 1);
  expect(ended).toBe(false);
  await clock.advance(1);
  expect(await code).toBe('FF00166');
});

test('work that ends in time returns its own result', async () => {
  const clock = createManualClock();
  await expect(untilDeadline(clock, { header: '1' }, () => Promise.resolve())).resolves.toBeUndefined();
  await expect(untilDeadline(clock, { header: '1' }, () => Promise.reject(new Error('its own')))).rejects.toThrow(
    'its own',
  );
});

test.each(['soon', '-1', '1d', '1.5', '1e3', '1s 1s'])('the header "%s" is refused with FF00137', async (header) => {
  expect(await codeOfAsync(() => untilDeadline(createManualClock(), { header }, forever))).toBe('FF00137');
});

test('a wait for a result ends with FF10260', async () => {
  const clock = createManualClock();
  const code = codeOfAsync(() =>
    untilDeadline(clock, { header: '1' }, (deadline) => {
      deadline.waits();
      return forever();
    }),
  );
  await clock.advance(1_000);
  expect(await code).toBe('FF10260');
});

test('a wait ends when the client has disconnected, and when the request is over', async () => {
  const left = new AbortController();
  const signals: AbortSignal[] = [];
  const first = untilDeadline(createManualClock(), { header: '', left: left.signal }, async ({ signal }) => {
    signals.push(signal);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  });
  left.abort();
  await first;
  await untilDeadline(createManualClock(), { header: '' }, async ({ signal }) => void signals.push(signal));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

import { expect, test } from 'vitest';
import { hintOfRun } from '../../../../src/cli/run/run.js';

const install = 'Install again with install scripts allowed.';

test.each(['START_FAILED', 'START_TIMEOUT', 'PORT_IN_USE'])('after %s a run suggests how to keep the logs', (code) => {
  expect(hintOfRun({ code, hint: 'See its logs: stack logs' }, false)).toContain('--dump DIR');
  expect(hintOfRun({ code, hint: 'See its logs: stack logs' }, true)).toBeUndefined();
});

test('after any other failure a run prints its hint, or how to keep the logs', () => {
  expect(hintOfRun({ code: 'PREREQUISITE', hint: install }, false)).toBe(install);
  expect(hintOfRun({ code: 'PREREQUISITE', hint: install }, true)).toBe(install);
  expect(hintOfRun({ code: 'UNHEALTHY', hint: undefined }, false)).toContain('--dump DIR');
  expect(hintOfRun({ code: 'UNHEALTHY', hint: undefined }, true)).toBeUndefined();
});

import { expect, it } from 'vitest';
import { createHealth } from '../../../src/node/health.js';

it.each([
  [undefined, '{"ok":true,"ready":false}'],
  ['It is stuck.', '{"ok":true,"ready":false,"problem":"It is stuck."}'],
])('says as a text that it is alive, and what it lacks: %s', async (problem, body) => {
  const health = createHealth({
    isReady: () => Promise.resolve(false),
    problem: () => problem,
    metricsText: () => Promise.resolve(''),
    access: { requireAll: () => undefined },
  });
  const ctx = { path: '/livez', type: '', body: undefined };
  await health(ctx as never, () => Promise.reject(new Error('it is answered here')));
  expect(ctx).toMatchObject({ type: 'application/json', body });
});

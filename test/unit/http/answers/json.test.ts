import { expect, it } from 'vitest';
import { answerJson } from '../../../../src/http/answers/json.js';

it('gives Koa a text, for which it asks no more than its length', () => {
  const ctx = { type: '', body: undefined as unknown };
  answerJson(ctx, { ok: true });
  expect(ctx).toEqual({ type: 'application/json', body: '{"ok":true}' });
});

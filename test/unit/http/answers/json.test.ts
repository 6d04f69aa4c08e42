import { expect, it } from 'vitest';
import { answerJson } from '../../../../src/http/answers/json.js';

it('passes Koa a text, of which it needs only the length', () => {
  const ctx = { type: '', body: undefined as unknown };
  answerJson(ctx, { ok: true });
  expect(ctx).toEqual({ type: 'application/json', body: '{"ok":true}' });
});

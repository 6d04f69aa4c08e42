import { expect, test } from 'vitest';
import { createCheckSchema } from '../../../../src/domain/schema/draft.js';
import { readDocument } from '../../../../src/domain/schema/document.js';
import { makePlan } from '../../../../src/domain/schema/plan.js';

const check = createCheckSchema();

test('evaluated parts are tracked only for a schema that needs it', () => {
  expect(makePlan(readDocument({ allOf: [{ unevaluatedItems: false }] }, 2, check), 2).isTracking).toBe(true);
  expect(makePlan(readDocument({ allOf: [{ items: false }] }, 2, check), 2).isTracking).toBe(false);
});

test('a subschema with many references is planned once', () => {
  const { plan } = makePlan(
    readDocument({ $defs: { a: { pattern: 'x{900}' } }, allOf: new Array(100).fill({ $ref: '#/$defs/a' }) }, 2, check),
    2,
  );
  expect(plan).toMatchObject({ checks: [expect.any(Function)] });
});

import { expect, it } from 'vitest';
import { createBudget, pricesOf } from '../../../../src/domain/schema/budget.js';
import { apply, type Check, placeOf, type Run, type Violation } from '../../../../src/domain/schema/evaluate.js';

function aRun(changes: Partial<Run> = {}) {
  const violations: Violation[] = [];
  const budget = createBudget({ budget: 2, maxSteps: 1_000 });
  return { budget, violations, scope: undefined, isTracking: false, isNoting: false, ...changes };
}

it.each([1, 2] as const)('counts the application of true and false too, by budget %i', (version) => {
  const spent: number[] = [];
  const budget = {
    ...createBudget({ budget: version, maxSteps: 1_000 }),
    spend: (units: number) => void spent.push(units),
  };
  const run = aRun({ budget });
  expect([apply(true, placeOf(1), run), apply(false, placeOf(1), run)]).toEqual([true, false]);
  const { application } = pricesOf[version];
  expect(spent).toEqual([application, application]);
  expect(run.violations).toEqual([{ path: '', message: 'must not be there' }]);
});

it('lists a limited number of violations', () => {
  const violations: Violation[] = [];
  const run = aRun({ violations });
  const checks = Array.from({ length: 80 }, (_, i): Check => () => {
    violations.push({ path: `/${i}`, message: 'is wrong' });
    return false;
  });
  const resource = { uri: 'https://x/', schema: {}, dynamicAnchors: new Map(), anchors: new Map() };
  expect(apply({ resource, checks }, placeOf(1), run)).toBe(false);
  expect(violations).toHaveLength(50);
});

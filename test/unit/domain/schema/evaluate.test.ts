import { describe, expect, it } from 'vitest';
import { networkLimits } from '../../../../src/domain/limits.js';
import { apply, BudgetSpent, createBudget, maxNesting, unitsPerStep } from '../../../../src/domain/schema/evaluate.js';

describe('a budget', () => {
  it('has the steps of the network, and not one more', () => {
    const budget = createBudget();
    for (let step = 0; step < networkLimits.maxValidationSteps; step++) budget.spend(unitsPerStep);
    expect(() => budget.spend(1)).toThrow(BudgetSpent);
  });

  it('lets schemas nest as deep as values of usual shape need, counting only those that are not left', () => {
    const budget = createBudget();
    for (let depth = 0; depth < maxNesting; depth++) budget.enter();
    budget.leave();
    budget.enter();
    expect(() => budget.enter()).toThrow(BudgetSpent);
  });
});

it('counts the application of true and false as steps too', () => {
  const spent: number[] = [];
  const budget = { ...createBudget(), spend: (units: number) => spent.push(units) };
  const run = { budget, violations: [], scope: undefined, isTracking: false };
  expect([apply(true, { value: 1 }, run), apply(false, { value: 1 }, run)]).toEqual([true, false]);
  expect(spent).toEqual([unitsPerStep, unitsPerStep]);
  expect(run.violations).toEqual([{ path: '', message: 'must not be there' }]);
});

it('lists no more violations than anybody reads', () => {
  const checks = Array.from({ length: 80 }, (_, i) => () => {
    run.violations.push({ path: `/${i}`, message: 'is wrong' });
    return false;
  });
  const run = {
    budget: createBudget(),
    violations: [] as { path: string; message: string }[],
    scope: undefined,
    isTracking: false,
  };
  const resource = { uri: 'https://x/', schema: {}, dynamicAnchors: new Map<string, unknown>() };
  expect(apply({ resource, checks }, { value: 1 }, run)).toBe(false);
  expect(run.violations).toHaveLength(50);
});

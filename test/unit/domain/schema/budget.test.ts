import { describe, expect, it } from 'vitest';
import {
  BudgetSpent,
  createBudget,
  maxNesting,
  pricesOf,
  stepsToCompile,
} from '../../../../src/domain/schema/budget.js';

describe.each([1, 2] as const)('a budget of version %i', (budget) => {
  const { unitsPerStep } = pricesOf[budget];
  const create = (maxSteps = 1_000) => createBudget({ budget, maxSteps });

  it('has the steps of the network, and not one unit more', () => {
    const spent = create();
    for (let step = 0; step < 1_000; step++) spent.spend(unitsPerStep);
    expect(spent.steps()).toBe(1_000);
    expect(() => spent.spend(1)).toThrow(BudgetSpent);
    expect(spent.steps()).toBe(1_000);
  });

  it('counts a step that was begun', () => {
    const spent = create();
    expect(spent.steps()).toBe(0);
    spent.spend(1);
    expect(spent.steps()).toBe(1);
  });

  it('pauses about every thousand steps, and counts the same as without pauses', () => {
    const rules = { budget, maxSteps: 10_000 };
    let times = 0;
    const [patient, usual] = [createBudget(rules, () => (times += 1)), createBudget(rules)];
    for (let piece = 0; piece < 90; piece++) {
      patient.spend(100 * unitsPerStep);
      usual.spend(100 * unitsPerStep);
    }
    expect(times).toBeGreaterThanOrEqual(8);
    expect(times).toBeLessThanOrEqual(9);
    expect(patient.steps()).toBe(usual.steps());
  });

  it('allows schemas as deep as usual values need, counting only open levels', () => {
    const spent = create();
    for (let depth = 0; depth < maxNesting; depth++) spent.enter();
    spent.leave();
    spent.enter();
    expect(() => spent.enter()).toThrow(BudgetSpent);
  });
});

it('compiling a schema counts nothing in networks of the first version', () => {
  const size = { bytes: 65_536, subschemas: 2_000, states: 10_000 };
  expect(stepsToCompile(size, 1)).toBe(0);
  expect(stepsToCompile(size, 2)).toBeGreaterThan(100_000);
});

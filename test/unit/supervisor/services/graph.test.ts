import { describe, expect, test } from 'vitest';
import { checkGraph, isStartable, stopGroups } from '../../../../src/supervisor/services/graph.js';
import type { Condition, Plan } from '../../../../src/supervisor/plan.js';
import type { ServiceState } from '../../../../src/supervisor/control/view.js';
import { aPlan, aService, aTask } from '../fixtures/plans.js';

const on = (name: string, condition: Condition = 'healthy') => ({ name, condition });

function planOf(...services: Plan['services']): Plan {
  return aPlan('/nowhere', services);
}

describe('The graph of a plan', () => {
  test('refuses a duplicate name', () => {
    expect(() => checkGraph(planOf(aService('/', 'a'), aService('/', 'a')))).toThrow('names a twice');
  });

  test('refuses a dependency that does not exist', () => {
    expect(() => checkGraph(planOf(aService('/', 'a', { after: [on('b')] })))).toThrow('a waits for b');
  });

  test('refuses a cycle, and names it', () => {
    const plan = planOf(aService('/', 'a', { after: [on('b')] }), aService('/', 'b', { after: [on('a')] }));
    expect(() => checkGraph(plan)).toThrow('a → b → a');
  });

  test('stops dependents before their dependencies, and one kind after the other, the last first', () => {
    const plan = planOf(
      aService('/', 'chain', { kind: 'chain' }),
      aService('/', 'store', { kind: 'store' }),
      aTask('/', 'contracts', { after: [on('chain')] }),
      aService('/', 'alice', { kind: 'node', after: [on('contracts', 'completed')] }),
      aService('/', 'bob', { kind: 'node', after: [on('contracts', 'completed')] }),
    );
    expect(stopGroups(plan)).toEqual([['bob', 'alice'], ['contracts'], ['store'], ['chain']]);
  });

  test.each<[Condition, ServiceState[]]>([
    ['started', ['starting', 'healthy', 'unhealthy', 'completed']],
    ['healthy', ['healthy']],
    ['completed', ['completed']],
  ])('lets start what waits for %s in the states %j only', (condition, allowed) => {
    const all: ServiceState[] = [
      'pending',
      'starting',
      'healthy',
      'unhealthy',
      'stopping',
      'stopped',
      'failed',
      'completed',
    ];
    const spec = aService('/', 'b', { after: [on('a', condition)] });
    expect(all.filter((state) => isStartable(spec, () => state))).toEqual(allowed);
  });
});

import { describe, expect, test } from 'vitest';
import { fillPorts } from '../../../src/supervisor/files/config-file.js';
import { parsePlan } from '../../../src/supervisor/plan.js';
import { aPlan, aService, aTask } from './fixtures/plans.js';

describe('A plan', () => {
  test('of services and tasks is read as it was written', () => {
    const plan = aPlan('/nowhere', [aService('/nowhere', 'chain'), aTask('/nowhere', 'deploy')]);
    expect(parsePlan(JSON.stringify(plan))).toEqual(plan);
  });

  test.each([
    ['nothing', '{', 'is not JSON'],
    ['another version', JSON.stringify({ ...aPlan('/', []), version: 2 }), '/version'],
    ['an unknown member', JSON.stringify({ ...aPlan('/', []), extra: 1 }), '/extra'],
    [
      'a service without a program',
      JSON.stringify(aPlan('/', [{ ...aService('/', 'a'), program: 1 as never }])),
      '/services/0',
    ],
  ])('with %s is refused, naming the place', (_, text, place) => {
    expect(() => parsePlan(text)).toThrow(place);
  });
});

describe('A configuration', () => {
  const portOf = (name: string): number | undefined => (name === 'chain' ? 16_000 : undefined);

  test('gets the known ports, as numbers if they stand alone', () => {
    const value = { port: '${chain.port}', urls: ['http://127.0.0.1:${chain.port}/x'], count: 3, none: null };
    expect(fillPorts(value, portOf)).toEqual({
      port: 16_000,
      urls: ['http://127.0.0.1:16000/x'],
      count: 3,
      none: null,
    });
  });

  test('keeps a text of digits a text', () => {
    expect(fillPorts({ balance: '1000' }, portOf)).toEqual({ balance: '1000' });
  });

  test('that needs an unknown port is refused', () => {
    expect(() => fillPorts('${store.port}', portOf)).toThrow('The port of store is not known yet');
  });
});

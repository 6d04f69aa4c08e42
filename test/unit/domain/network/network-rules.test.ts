import { describe, expect, it, test } from 'vitest';
import { networkLimits } from '../../../../src/domain/network/limits.js';
import {
  currentRules,
  firstRules,
  readNetworkRules,
  recordedLimits,
} from '../../../../src/domain/network/network-rules.js';
import { textOf } from '../../../../src/wire/json/json.js';

function problemOf(limits: unknown): string | undefined {
  return readNetworkRules(textOf(limits)).problem;
}

test('a network that is created now records these limits', () => {
  expect(recordedLimits).toEqual({
    ...networkLimits,
    maxInterfaceMethods: 1_000,
    maxInterfaceEvents: 1_000,
    maxInterfaceErrors: 1_000,
    maxInterfaceParams: 4_000,
    maxInterfaceBytes: 524_288,
    validationBudget: 2,
    maxBatchValidationSteps: 2_000_000,
    maxOrganizationLevels: 2,
    maxBatchExpectedPins: 10_240,
  });
});

describe('the rules of a network', () => {
  it('are the current ones if all limits were recorded, in any order', () => {
    expect(readNetworkRules(textOf(recordedLimits))).toEqual({ rules: currentRules });
    const reversed = Object.fromEntries(Object.entries(recordedLimits).reverse());
    expect(readNetworkRules(textOf(reversed))).toEqual({ rules: currentRules });
    expect(currentRules).toMatchObject({
      interfaces: { maxInterfaceEvents: 1_000 },
      validation: { budget: 2, maxSteps: 1_000_000, maxBatchSteps: 2_000_000 },
      hasChildOrganizations: true,
      maxBatchExpectedPins: 10_240,
      recorded: recordedLimits,
      absent: [],
    });
  });

  it('are those from before the later limits if these are absent', () => {
    expect(readNetworkRules(textOf(networkLimits))).toEqual({ rules: firstRules });
    expect(firstRules).toEqual({
      interfaces: {
        maxInterfaceMethods: undefined,
        maxInterfaceEvents: undefined,
        maxInterfaceErrors: undefined,
        maxInterfaceParams: undefined,
        maxInterfaceBytes: undefined,
      },
      validation: { budget: 1, maxSteps: 1_000_000, maxBatchSteps: undefined },
      hasChildOrganizations: false,
      maxBatchExpectedPins: undefined,
      recorded: networkLimits,
      absent: Object.keys(recordedLimits).filter((name) => !(name in networkLimits)),
    });
  });

  it('lack only the one later limit that is absent', () => {
    const { maxInterfaceEvents, ...others } = recordedLimits;
    const { rules } = readNetworkRules(textOf(others));
    expect(rules).toEqual({
      ...currentRules,
      interfaces: { ...currentRules.interfaces, maxInterfaceEvents: undefined },
      recorded: others,
      absent: ['maxInterfaceEvents'],
    });
    expect(maxInterfaceEvents).toBe(1_000);
  });

  it.each(Object.keys(recordedLimits))('are not of this program when %s has another value', (name) => {
    for (const value of [7, '200', null, {}]) {
      const problem = problemOf({ ...recordedLimits, [name]: value });
      expect(problem).toContain(`${name} ${textOf(value)}`);
      expect(problem).toContain(String(Object.entries(recordedLimits).find(([each]) => each === name)?.[1]));
    }
  });

  it.each(Object.keys(networkLimits))('are not of this program when the first limit %s is absent', (name) => {
    const { [name]: _, ...others } = recordedLimits as Readonly<Record<string, number>>;
    expect(problemOf(others)).toContain(name);
  });

  it('are not of this program when a limit is unknown to it', () => {
    expect(problemOf({ ...recordedLimits, maxWishes: 3 })).toMatch(/maxWishes 3.*newer/);
    expect(problemOf({ ...recordedLimits, ['x'.repeat(5_000)]: 3 })?.length).toBeLessThan(500);
  });

  it.each(['', '{', '[]', '7', 'null', `${'['.repeat(100)}${']'.repeat(100)}`, `{"a":"${'x'.repeat(5_000)}"`])(
    'are not of this program when the text is no object: %.20s',
    (text) => {
      expect(readNetworkRules(text).problem).toContain('not a JSON object');
      expect(readNetworkRules(text).problem?.length).toBeLessThan(400);
    },
  );
});

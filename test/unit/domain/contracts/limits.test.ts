import { describe, expect, it } from 'vitest';
import { checkInterfaceParts, checkInterfaceText } from '../../../../src/domain/contracts/limits.js';
import { currentRules, firstRules } from '../../../../src/domain/network/network-rules.js';
import { textOf } from '../../../../src/wire/json/json.js';

const limits = currentRules.interfaces;

/** Returns parts with this many parameters each, and for methods this many results. */
function parts(count: number, params = 0, returns = 0) {
  return new Array(count).fill({ params: new Array(params).fill({}), returns: new Array(returns).fill({}) });
}

const none = { methods: [], events: [], errors: [] };

describe('an interface', () => {
  it.each([
    ['methods', { ...none, methods: parts(1_001) }],
    ['events', { ...none, events: parts(1_001) }],
    ['errors', { ...none, errors: parts(1_001) }],
    ['parameters', { methods: parts(10, 150, 50), events: parts(10, 100), errors: parts(11, 91) }],
  ])('with too many %s is refused, where the network has limits', (_, counted) => {
    expect(() => checkInterfaceParts(counted, limits)).toThrow('FF00134');
    expect(() => checkInterfaceParts(counted, firstRules.interfaces)).not.toThrow();
  });

  it('with the maximum number of each is accepted', () => {
    const most = { methods: parts(1_000, 1, 1), events: parts(1_000, 1), errors: parts(1_000, 1) };
    expect(() => checkInterfaceParts(most, limits)).not.toThrow();
  });

  it('whose definition has too many bytes is refused, if the network has limits', () => {
    const [most, tooLong] = [`${'ü'.repeat(262_142)}xx`, 'ü'.repeat(262_144)].map((text) => textOf(text));
    expect(() => checkInterfaceText(most ?? textOf(''), limits)).not.toThrow();
    expect(() => checkInterfaceText(tooLong ?? textOf(''), limits)).toThrow('FF00135');
    expect(() => checkInterfaceText(tooLong ?? textOf(''), firstRules.interfaces)).not.toThrow();
  });
});

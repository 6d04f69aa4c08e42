import { describe, expect, it } from 'vitest';
import { meets, readComparison } from '../../../../src/cli/expect/comparison.js';
import { type Assertion, parseAssertion } from '../../../../src/cli/expect/parse.js';
import { parseFile } from '../../../../src/cli/expect/expect.js';

type Expected = Partial<Record<keyof Extract<Assertion, { kind: 'events' }> | 'state' | 'topic' | 'value', unknown>>;

describe('an assertion', () => {
  it.each<[string, Expected]>([
    [
      'message tag=order-7 confirmed on all',
      { kind: 'message', selectors: { tag: 'order-7' }, state: 'confirmed', parties: ['all'] },
    ],
    ['message 3FA85F64 rejected on bob', { selectors: { id: '3fa85f64' }, state: 'rejected', parties: ['bob'] }],
    ['message tag="a \\"b\\" c" topic=x=y pending', { selectors: { tag: 'a "b" c', topic: 'x=y' }, parties: [] }],
    ['message tag=on absent on bob, carol', { selectors: { tag: 'on' }, state: 'absent', parties: ['bob', 'carol'] }],
    [
      'events message_confirmed tag=order = 10 on bob',
      { kind: 'events', selectors: { tag: 'order' }, comparison: { operator: '=', number: 10n } },
    ],
    ['events message_confirmed >=3', { selectors: {}, comparison: { operator: '>=', number: 3n } }],
    ['balance coins bob = 100', { kind: 'balance', comparison: { operator: '=', number: 100n } }],
    ['order topic=orders same on all', { kind: 'order', topic: 'orders', parties: ['all'] }],
    ['order same', { kind: 'order', topic: undefined, parties: [] }],
    ['data 3fa85f64 equals @order.json', { kind: 'data', selectors: { id: '3fa85f64' }, value: '@order.json' }],
    [
      'data tag=x on bob equals {"said": "it equals  on all"}',
      { selectors: { tag: 'x' }, parties: ['bob'], value: '{"said": "it equals  on all"}' },
    ],
  ])('is read: %s', (text, expected) => {
    expect(parseAssertion(text, 4)).toMatchObject({ text, line: 4, ...expected });
  });

  it.each([
    ['mesage tag=a confirmed', /did you mean "message"/],
    ['message tag=a confirmd', /did you mean "confirmed"\?$/],
    ['message tga=a confirmed', /did you mean "tag"\?$/],
    ['message confirmed', /an id or FIELD=VALUE is missing/],
    ['message 3fa confirmed', /"3fa" is neither an id/],
    ['message tag=a tag=b confirmed', /a second tag/],
    ['message tag= confirmed', /tag has no value/],
    ['message tag=a confirmed on', /the name of a party is missing/],
    ['events = 3', /the type of the events is missing/],
    ['events message_confirmed on bob', /a comparison such as "= 10" is missing/],
    ['events message_confirmed = many', /"=many" is not a comparison/],
    ['balance coins = 3', /the pool or its owner is missing/],
    ['balance coins bob 100', /a comparison such as/],
    ['balance coins bob carol = 1', /unexpected word "carol"/],
    ['order tag=x same', /order takes only a topic, not "tag"/],
    ['order topic=x', /the word "same" is missing/],
    ['data 3fa85f64', /"equals" and a value are missing/],
    ['data equals 1', /an id or FIELD=VALUE is missing/],
  ])('is refused with what was expected: %s', (text, problem) => {
    expect(() => parseAssertion(text, 3)).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: expect.stringMatching(problem) as string,
        hint: expect.stringContaining('') as string,
      }),
    );
    expect(() => parseAssertion(text, 3)).toThrow(/^Line 3/);
  });
});

describe('a file of assertions', () => {
  it('has one per line, next to comments and empty lines, and its lines are numbered', () => {
    const text = '# orders\r\n\r\norder same on all\n  # more\nbalance coins bob = 1';
    expect(parseFile(text, 'checks.txt').map(({ kind, line }) => [kind, line])).toEqual([
      ['order', 3],
      ['balance', 5],
    ]);
    expect(() => parseFile('order same\nordr same', 'checks.txt')).toThrow(
      /^checks.txt, line 2: unknown kind of assertion "ordr"/,
    );
  });
});

describe('a comparison', () => {
  it.each([
    ['=5', [false, true, false]],
    ['>=5', [false, true, true]],
    ['<=5', [true, true, false]],
    ['>5', [false, false, true]],
    ['<5', [true, false, false]],
  ])('%s is met by the right numbers', (text, expected) => {
    const comparison = readComparison(text);
    if (comparison === undefined) throw new Error(`${text} was not read`);
    expect([4n, 5n, 6n].map((number) => meets(number, comparison))).toEqual(expected);
  });

  it('applies to whole numbers', () => {
    for (const text of ['5', '=', '=-1', '=1.5', '==5', '=>5']) expect(readComparison(text)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import {
  checkArguments,
  nameArgument,
  readCallOptions,
  readQueryOptions,
} from '../../../../src/domain/contracts/call.js';
import { compact } from '../../../../src/wire/json/json-reader.js';
import { codeOf } from '../../../support/codes.js';

describe('readCallOptions', () => {
  it('has no gas and value by default', () => {
    expect(readCallOptions(undefined)).toEqual({ value: '0' });
    expect(readCallOptions(compact('{}'))).toEqual({ value: '0' });
  });

  it.each([
    ['1000000000000000000', '1000000000000000000'],
    ['9007199254740993', '9007199254740993'],
    ['"9007199254740993"', '9007199254740993'],
    ['"0x10"', '16'],
    ['0', '0'],
  ])('reads the value %s as %s, never as a float', (given, expected) => {
    expect(readCallOptions(compact(`{"value":${given}}`)).value).toBe(expected);
  });

  it('treats null as absent, for any name', () => {
    expect(readCallOptions(compact('{"gas":null,"value":null,"gasPrice":null}'))).toEqual({ value: '0' });
    expect(readQueryOptions(compact('{"gas":null,"blockNumber":null}'))).toEqual({});
  });

  it('reads gas as a number', () => {
    expect(readCallOptions(compact('{"gas":"500000"}')).gas).toBe(500_000);
  });

  it.each(['[]', '{"value":1.5}', '{"value":1e2}', '{"value":-1}', '{"value":"one"}', '{"value":true}'])(
    'refuses %s',
    (text) => {
      expect(codeOf(() => readCallOptions(compact(text)))).toBe('FF10311');
    },
  );

  it.each(['{"gas":9007199254740993}', `{"value":"0x1${'0'.repeat(64)}"}`, '{"gasPrice":0}', '{"blockNumber":1}'])(
    'refuses what is too large or not known: %s',
    (text) => {
      expect(codeOf(() => readCallOptions(compact(text)))).toBe('FF10311');
    },
  );
});

describe('readQueryOptions', () => {
  it('accepts the block after which the query is made', () => {
    expect(readQueryOptions(compact('{"blockNumber":"0x10"}'))).toEqual({ block: 16 });
    expect(readQueryOptions(undefined)).toEqual({});
  });

  it('accepts a gas limit', () => {
    expect(readQueryOptions(compact('{"gas":"6000000"}'))).toEqual({ gas: 6_000_000 });
    expect(readQueryOptions(compact('{"blockNumber":"latest"}'))).toEqual({});
    expect(codeOf(() => readQueryOptions(compact('{"gas":1.5}')))).toBe('FF10311');
    expect(codeOf(() => readQueryOptions(compact('{"blockNumber":"earliest"}')))).toBe('FF10311');
  });

  it('refuses options that a query does not use', () => {
    expect(codeOf(() => readQueryOptions(compact('{"value":1}')))).toBe('FF10311');
  });
});

describe('nameArgument', () => {
  const method = (...names: readonly string[]) =>
    ({ type: 'function', name: 'of', inputs: names.map((name) => ({ name, type: 'uint256' })) }) as const;

  it.each([
    [['input'], '{"":1.50}', '{"input":1.50}'],
    [['to', 'input1'], '{"":1,"to":2}', '{"input1":1,"to":2}'],
    [['input', 'input1'], '{"":1,"input1":2}', '{"input":1,"input1":2}'],
    [['input', 'input1'], '{"":1}', '{"":1}'],
    [['input'], '{"":1,"input":2}', '{"":1,"input":2}'],
    [['amount'], '{"":1}', '{"":1}'],
    [['input'], '[1]', '[1]'],
  ])('of a method with %j makes of %s %s', (names, text, expected) => {
    expect(nameArgument(method(...names), compact(text))).toBe(expected);
  });
});

describe('checkArguments', () => {
  const pay = {
    type: 'function',
    name: 'pay',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  } as const;

  it('requires all of them', () => {
    expect(codeOf(() => checkArguments(pay, compact('{"to":"0x"}')))).toBe('FF10304');
    expect(codeOf(() => checkArguments(pay, compact('{"to":"0x","amount":1}')))).toBeUndefined();
  });

  it('refuses others', () => {
    expect(codeOf(() => checkArguments(pay, compact('{"to":"0x","amount":1,"amont":1}')))).toBe('FF10306');
    const pause = { type: 'function', name: 'pause', inputs: [] } as const;
    expect(codeOf(() => checkArguments(pause, compact('{"now":true}')))).toBe('FF10306');
  });

  it('requires them by name', () => {
    expect(codeOf(() => checkArguments(pay, compact('["0x",1]')))).toBe('FF10305');
  });
});

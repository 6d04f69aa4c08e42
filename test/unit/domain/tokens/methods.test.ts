import { describe, expect, it } from 'vitest';
import { methodFormat, methodsFor, readEntries, readPoolMethods } from '../../../../src/domain/tokens/methods.js';
import { textOf } from '../../../../src/wire/json/json.js';

const inputs = [{ name: 'to', type: 'address' }];
const issue = { type: 'function', name: 'issue', inputs, outputs: [] };
const schema = { type: 'string', details: { type: 'address' } };
const issueAsFfi = { name: 'issue', params: [{ name: 'to', schema }], returns: [] };

/** Methods whose text has this many characters. */
function methodsOf(characters: number) {
  const noted = (note: string) => ({ mint: [{ ...issue, note }] });
  return noted('n'.repeat(characters - textOf(noted('')).length));
}

describe('the methods of a pool', () => {
  it.each([
    ['as compilers write them', issue],
    ['as interfaces do', issueAsFfi],
  ])('are read %s', (_, method) => {
    const { mint: [entry] = [], ...others } = readPoolMethods(textOf({ mint: [method] }));
    expect(entry).toMatchObject({ type: 'function', name: 'issue', inputs });
    expect(others).toEqual({});
  });

  it('are those of the standard if not given', () => {
    const methods = textOf({ mint: [issue] });
    expect(methodsFor(methods, 'mint')).toHaveLength(1);
    expect(methodsFor(methods, 'burn')).toEqual([]);
    expect(methodsFor(null, 'mint')).toEqual([]);
  });

  it.each([
    ['no object', [issue]],
    ['of another use', { melt: [issue] }],
    ['no list', { mint: issue }],
    ['empty', { mint: [] }],
    ['too many', { mint: Array.from({ length: 17 }, () => issue) }],
    ['too long', methodsOf(65_537)],
    ['of a type that is none', { mint: [{ ...issue, inputs: [{ name: 'to', type: 'party' }] }] }],
    ['of a schema that is none', { mint: [{ ...issueAsFfi, params: [{ name: 'to', schema: 7 }] }] }],
    ['events', { mint: [{ ...issue, type: 'event' }] }],
  ])('are refused when they are %s', (_, methods) => {
    expect(() => readPoolMethods(textOf(methods))).toThrow('PY1011');
  });

  it('may be as many, and their text as long, as the protocol allows', () => {
    expect(readPoolMethods(textOf({ mint: Array.from({ length: 16 }, () => issue) })).mint).toHaveLength(16);
    expect(readPoolMethods(textOf(methodsOf(65_536))).mint).toHaveLength(1);
  });

  it('are read from lists of any origin, or ignored', () => {
    expect(readEntries(textOf([issue, issueAsFfi]))).toBeUndefined();
    expect(readEntries(textOf('issue'))).toBeUndefined();
    expect(readEntries(textOf([{ type: 'fallback' }]))).toBeUndefined();
  });

  it('are shown in two formats', () => {
    expect(['abi', 'ffi', 'wsdl'].map(methodFormat)).toEqual(['abi', 'ffi', undefined]);
  });
});

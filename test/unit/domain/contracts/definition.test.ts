import { describe, expect, it } from 'vitest';
import { readApiDefinition, readInterfaceDefinition } from '../../../../src/domain/contracts/definition.js';
import { currentRules, firstRules } from '../../../../src/domain/network/network-rules.js';
import { textOf } from '../../../../src/wire/json/json.js';

const topics = ['svc_ns_default'];
const id = '5d3c9a53-9d8e-4c7e-8f0a-2f6d2f3f7a01';
const get = {
  name: 'get',
  description: '',
  params: [],
  returns: [{ name: '', schema: { type: 'integer', details: { type: 'uint256' } } }],
};
const changed = { name: 'Changed', description: '', params: [] };
const ffi = {
  id,
  namespace: 'default',
  name: 'storage',
  description: 'Keeps a number',
  version: '1.0',
  methods: [get, get],
  events: [changed],
  errors: [],
};
const api = {
  id,
  namespace: 'default',
  name: 'store',
  interface: { id },
  location: { address: `0x${'a'.repeat(40)}` },
};

function codeOfRefusal(reading: { readonly refusal?: string | undefined }): string | undefined {
  return reading.refusal?.slice(0, 7);
}

describe('readInterfaceDefinition', () => {
  it('reads an interface, and derives its pathnames and signatures', () => {
    const { record } = readInterfaceDefinition(topics, textOf(ffi), currentRules);
    expect(record).toMatchObject({ id, name: 'storage', version: '1.0' });
    expect(record?.parts.methods.map(({ pathname }) => pathname)).toEqual(['get', 'get_1']);
    expect(record?.parts.events).toMatchObject([{ signature: 'Changed()' }]);
  });

  it.each([
    ['one that is no record', [], 'FF10400'],
    ['one without methods', { ...ffi, methods: undefined }, 'FF10400'],
    ['one that says more than it may', { ...ffi, published: true }, 'FF10400'],
    ['one that says more of a method than it may', { ...ffi, methods: [{ ...get, pathname: 'got' }] }, 'FF10400'],
    ['one for another namespace than its topic', { ...ffi, namespace: 'other' }, 'FF10400'],
    ['a name that is none', { ...ffi, name: 'a b' }, 'FF10403'],
    ['a name of the system', { ...ffi, name: 'svc_storage' }, 'FF10403'],
    ['a version that looks like an id', { ...ffi, version: id }, 'FF10403'],
    ['a method that cannot be called', { ...ffi, methods: [{ ...get, name: '' }] }, 'FF10403'],
    [
      'a schema that Solidity has no type for',
      { ...ffi, methods: [{ ...get, params: [{ name: 'x', schema: {} }] }] },
      'FF10403',
    ],
  ])('refuses %s', (_, record, code) => {
    expect(codeOfRefusal(readInterfaceDefinition(topics, textOf(record), currentRules))).toBe(code);
  });

  it.each([
    ['too many parts', { events: new Array(1_001).fill(changed) }],
    ['a text that is too long', { description: 'x'.repeat(524_288) }],
  ])('refuses one with %s, and reads it in a network without that limit', (_, parts) => {
    const text = textOf({ ...ffi, ...parts });
    expect(codeOfRefusal(readInterfaceDefinition(topics, text, currentRules))).toBe('FF10403');
    expect(readInterfaceDefinition(topics, text, firstRules).record).toMatchObject({ id });
  });
});

describe('readApiDefinition', () => {
  it('reads an API, which may have no location', () => {
    expect(readApiDefinition(topics, textOf(api)).record).toEqual(api);
    expect(readApiDefinition(topics, textOf({ ...api, location: undefined })).record).not.toHaveProperty('location');
  });

  it('reads one whose name looks like an id, since an API is found only by its name', () => {
    expect(readApiDefinition(topics, textOf({ ...api, name: id })).record).toEqual({ ...api, name: id });
  });

  it.each([
    ['one without an interface', { ...api, interface: {} }, 'FF10400'],
    ['a location that is no address in lower case', { ...api, location: { address: '0xA' } }, 'FF10400'],
    ['one for another namespace than its topic', { ...api, namespace: 'other' }, 'FF10400'],
    ['a name with a space', { ...api, name: 'my api' }, 'FF10403'],
  ])('refuses %s', (_, record, code) => {
    expect(codeOfRefusal(readApiDefinition(topics, textOf(record)))).toBe(code);
  });
});

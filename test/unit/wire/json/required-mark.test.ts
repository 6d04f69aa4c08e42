import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { check } from '../../../../src/wire/check.js';
import { given } from '../../../../src/wire/given.js';
import { requiredInReply, requiredInRequest, requiring } from '../../../../src/wire/json/required-mark.js';

const plain = Type.Object({
  name: Type.String(),
  list: Type.Array(Type.String(), { default: [] }),
  amount: Type.Optional(Type.String()),
});
const marked = requiring(['amount'], plain);

describe('a member that is marked as required', () => {
  it('is required in a request, like required members without a default', () => {
    expect(requiredInRequest(plain, undefined)).toEqual(['name']);
    expect(requiredInRequest(marked, undefined)).toEqual(['name', 'amount']);
    expect(requiredInRequest(requiring(['list'], plain), undefined)).toEqual(['name', 'list']);
  });

  it('is optional in a reply, where members with a default are required', () => {
    expect(requiredInReply(marked)).toEqual(['name', 'list']);
  });

  it('is optional in networks of the profile that the mark excludes', () => {
    const unless = requiring(['amount'], plain, { unless: 'firefly' });
    expect(requiredInRequest(unless, undefined)).toEqual(['name', 'amount']);
    expect(requiredInRequest(unless, 'firefly')).toEqual(['name']);
  });

  it('is optional for check, and null counts as absent', () => {
    expect(check(marked, { name: 'a', list: [] })).toBe(true);
    expect(given({ name: 'a', amount: null }, marked)).toEqual({ name: 'a', list: [] });
    expect(JSON.stringify(marked)).toBe(JSON.stringify(plain));
  });
});

import { expect, it } from 'vitest';
import { canonicalAddress } from '../../../../src/wire/chain/address.js';

const digits = 'ab'.repeat(20);

it.each([`0x${digits}`, `0X${digits.toUpperCase()}`, digits, digits.toUpperCase()])(
  'reads %s as an address',
  (text) => {
    expect(canonicalAddress(text)).toBe(`0x${digits}`);
  },
);

it.each(['', 'Bob', digits.slice(1), `${digits}0`, `${digits}\n`, 'did:parley:org/bob'])(
  '"%s" is not an address',
  (text) => {
    expect(canonicalAddress(text)).toBe(text.toLowerCase());
  },
);

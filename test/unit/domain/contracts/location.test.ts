import { describe, expect, it } from 'vitest';
import { locationOf, readLocation } from '../../../../src/domain/contracts/location.js';
import { compact } from '../../../../src/wire/json/json-reader.js';
import { codeOf } from '../../../support/codes.js';

const address = `0x${'ab'.repeat(20)}`;

describe('the location of a contract', () => {
  it('is an address, in any case, and without 0x', () => {
    expect(readLocation(compact(`{"address":"${'Ab'.repeat(20)}"}`))).toBe(address);
    expect(readLocation(compact(`{"address":"0x${'Ab'.repeat(20)}"}`))).toBe(address);
  });

  it('is written with the address in lower case', () => {
    expect(readLocation(locationOf(address))).toBe(address);
  });

  it.each(['{}', '"0x00"', '{"address":1}', '{"address":"0x12"}', '{"chaincode":"asset"}'])('is not %s', (text) => {
    expect(codeOf(() => readLocation(compact(text)))).toBe('FF10310');
  });
});

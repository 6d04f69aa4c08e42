import { describe, expect, it } from 'vitest';
import { rolesOf } from '../../../../src/adapters/token-connector/method-roles.js';

/** Returns the inputs of `to address, uint256`: types, with names where they matter. */
function inputsOf(text: string) {
  return text.split(', ').map((each) => {
    const [type = '', name = 'x'] = each.split(' ');
    return { type, name };
  });
}

describe('the arguments of a token contract’s method', () => {
  it.each([
    ['mint', 'fungible', 'address, uint256', 'to amount'],
    ['mint', 'fungible', 'uint64, bytes', 'amount data'],
    ['mint', 'nonfungible', 'address, string, bytes', 'to uri data'],
    ['mint', 'nonfungible', 'address, uint256 tokenId', 'to token'],
    ['mint', 'nonfungible', 'uint256 _id, address, string', 'token to uri'],
    ['transfer', 'fungible', 'address, uint256', 'to amount'],
    ['transfer', 'fungible', 'address, address, uint256, bytes', 'from to amount data'],
    ['transfer', 'fungible', 'address to, address from, uint256', 'to from amount'],
    ['transfer', 'fungible', 'address _recipient, address _sender, uint256', 'to from amount'],
    ['transfer', 'fungible', 'address a, address from, uint256', 'from to amount'],
    ['transfer', 'nonfungible', 'address, address, uint256', 'from to token'],
    ['burn', 'fungible', 'uint256', 'amount'],
    ['burn', 'nonfungible', 'address, uint256, bytes', 'from token data'],
    ['approval', 'fungible', 'address, uint256', 'operator amount'],
    ['approval', 'nonfungible', 'address, bool', 'operator approved'],
    ['approval', 'nonfungible', 'address, uint256, bytes', 'operator token data'],
  ] as const)('of a %s of %s tokens by (%s) are %s', (use, type, inputs, expected) => {
    expect(rolesOf({ inputs: inputsOf(inputs) }, use, type)).toEqual({ roles: expected.split(' ') });
  });

  it.each([
    ['mint', 'fungible', 'address, string'],
    ['mint', 'fungible', 'address'],
    ['mint', 'nonfungible', 'address, uint256'],
    ['mint', 'nonfungible', 'address, uint256 quantity'],
    ['mint', 'nonfungible', 'address, uint256 tokenId, uint256'],
    ['transfer', 'fungible', 'address, uint256, uint256'],
    ['transfer', 'fungible', 'uint256, bytes'],
    ['transfer', 'fungible', 'address, uint256[]'],
    ['transfer', 'fungible', 'address, int256'],
    ['transfer', 'fungible', 'address, uint256, bytes32'],
    ['transfer', 'nonfungible', 'address, address, address, uint256'],
    ['burn', 'fungible', 'address'],
    ['approval', 'fungible', 'uint256'],
    ['approval', 'nonfungible', 'address'],
  ] as const)('of a %s of %s tokens are never (%s)', (use, type, inputs) => {
    expect(rolesOf({ inputs: inputsOf(inputs) }, use, type).problem).toEqual(expect.any(String));
  });
});

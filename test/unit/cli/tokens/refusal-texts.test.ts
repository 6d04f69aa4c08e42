import { describe, expect, it } from 'vitest';
import type { Owners } from '../../../../src/cli/requests/owners.js';
import { refusalRemedy, refusalText } from '../../../../src/cli/tokens/refusal-texts.js';

const [bob, stranger] = [`0x${'b'.repeat(40)}`, `0x${'c'.repeat(40)}`];
const owners: Owners = {
  nameOf: (key) => (key === bob ? 'bob' : undefined),
  keysOf: () => [],
  names: () => ['bob'],
};
const reverted = (error: string) => refusalText(`The chain reverted the call: ${error}`, owners);

describe('the advice about a refusal', () => {
  it('is to correct its cause, never to retry unchanged', () => {
    const remedy = (error: string) => refusalRemedy(`The chain reverted the call: ${error}`, 'parley');
    expect(remedy(`ERC20InsufficientBalance(${bob}, 9, 10)`)).toContain('parley balances');
    expect(remedy(`NotCreator(${bob}, 77)`)).toContain('-p PARTY');
    for (const error of ['Closed(1)', 'no reason'])
      expect(remedy(error)).toContain('would refuse the same operation again');
  });

  it('is undefined if no contract has refused', () => {
    expect(refusalRemedy('The chain does not answer.', 'stack')).toBeUndefined();
  });
});

describe('the text for a refusal of the contract', () => {
  it.each([
    [`ERC1155InsufficientBalance(${bob}, 9, 10, 77)`, 'bob has only 9, not 10 (ERC1155InsufficientBalance)'],
    [`ERC20InsufficientBalance(${bob}, 9, 10)`, 'bob has only 9, not 10 (ERC20InsufficientBalance)'],
    [
      `ERC1155MissingApprovalForAll(${stranger}, ${bob})`,
      `${stranger} may not move tokens of bob (ERC1155MissingApprovalForAll)`,
    ],
    [`NotCreator(${bob}, 77)`, 'bob is not the creator of the pool, and only the creator may mint (NotCreator)'],
    ['Panic(17)', 'a number would be below zero or above 2^256-1 (Panic)'],
    ['Panic(1)', 'the contract has a defect, code 1 (Panic)'],
    ['ERC721NonexistentToken(7)', 'there is no token #7 (ERC721NonexistentToken)'],
  ])('%s is said with names', (error, words) => {
    expect(reverted(error)).toBe(words);
  });

  it("is the contract's own if it is another contract", () => {
    expect(reverted(`Closed(${bob.toUpperCase().replace('X', 'x')}, 1)`)).toBe(
      'The chain reverted the call: Closed(bob, 1)',
    );
    expect(reverted('no reason')).toBe('The chain reverted the call: no reason');
    expect(reverted('constructor(1)')).toBe('The chain reverted the call: constructor(1)');
  });
});

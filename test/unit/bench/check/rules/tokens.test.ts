import { describe, expect, it } from 'vitest';
import { check } from '../../../../../src/bench/check.js';
import type { BalanceFacts, PartyRecord, TransferFacts } from '../../../../../src/bench/check/recording.js';

const moved = (n: number, type: string, from: string | undefined, to: string | undefined, amount: string) =>
  ({ pool: 'p', type, from, to, amount, tokenIndex: undefined, protocolId: `${n}`, message: undefined }) as const;
const transfers: readonly TransferFacts[] = [
  moved(1, 'mint', undefined, 'alice', '100'),
  moved(2, 'transfer', 'alice', 'bob', '30'),
  moved(3, 'burn', 'bob', undefined, '30'),
];
/** Facts in which only the sides of one transfer, of amount 0, can be wrong. */
const withFirst = (transfer: TransferFacts) => ({ transfers: [transfer], balances: [] });
const held = (key: string, balance: string): BalanceFacts => ({ pool: 'p', key, balance });
const balances = [held('alice', '70'), held('bob', '0')];

function party(name: string, tokens: Partial<PartyRecord['tokens']> = {}): PartyRecord {
  return { name, connections: [], messages: [], pending: 0, tokens: { transfers, balances, ...tokens } };
}

function tokensOf(parties: readonly PartyRecord[], contractBalances: readonly BalanceFacts[] = []) {
  const nothing = { sends: [], pins: [], payloads: new Map(), blocks: [] };
  return check({ ...nothing, parties, contractBalances }).find(({ invariant }) => invariant === 'I11');
}

describe('I11, tokens', () => {
  it('holds if all have the same transfers, and balances equal to their sums and the contracts', () => {
    const finding = tokensOf([party('alice'), party('bob')], [held('alice', '70'), held('carol', '0')]);
    expect(finding).toMatchObject({ status: 'ok', evidence: 8 });
  });

  it('is not checked for parties without token records', () => {
    const { tokens: _, ...bare } = party('alice');
    expect(tokensOf([bare])).toMatchObject({ status: 'NO EVIDENCE' });
  });

  it.each([
    [
      'a transfer is missing at one',
      [
        party('alice'),
        party('bob', { transfers: transfers.slice(0, 2), balances: [held('alice', '70'), held('bob', '30')] }),
      ],
    ],
    [
      'a transfer is another at one',
      [
        party('alice'),
        party('bob', {
          transfers: [...transfers.slice(0, 2), moved(3, 'burn', 'bob', undefined, '29')],
          balances: [held('alice', '70'), held('bob', '1')],
        }),
      ],
    ],
    ['a transfer is recorded twice', [party('alice', { transfers: [...transfers, ...transfers.slice(2)] })]],
    ['a mint comes from somebody', [party('alice', withFirst(moved(1, 'mint', 'carol', 'alice', '0')))]],
    ['a burn goes to somebody', [party('alice', withFirst(moved(1, 'burn', 'alice', 'carol', '0')))]],
    ['a transfer comes from nobody', [party('alice', withFirst(moved(1, 'transfer', undefined, 'alice', '0')))]],
    ['a transfer goes to nobody', [party('alice', withFirst(moved(1, 'transfer', 'alice', undefined, '0')))]],
    ['a balance is not the sum', [party('alice', { balances: [held('alice', '71')] })]],
    ['a balance is below zero', [party('alice', { transfers: transfers.slice(1), balances: [held('alice', '-30')] })]],
  ])('is violated where %s', (_, parties) => {
    expect(tokensOf(parties)).toMatchObject({ status: 'VIOLATED', proof: expect.any(String) });
  });

  it('is violated if the contract has another balance', () => {
    expect(tokensOf([party('alice')], [held('alice', '69')])).toMatchObject({ status: 'VIOLATED' });
  });
});

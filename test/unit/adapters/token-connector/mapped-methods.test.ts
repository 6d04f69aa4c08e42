import { Interface } from 'ethers';
import { describe, expect, it } from 'vitest';
import {
  dataOfMapped,
  encodeMapped,
  encodeMappedApproval,
  takesData,
} from '../../../../src/adapters/token-connector/mapped-methods.js';
import { readAbi } from '../../../../src/domain/contracts/abi.js';
import type { TransferRequest } from '../../../../src/ports/token-connector.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { keys } from '../../../compliance/token-connector/world.js';

const { alice, bob, carol } = keys;
const told = '{"tx":"1"}';

function contractOf(...lines: string[]) {
  const contract = new Interface(lines.map((line) => `function ${line}`));
  return { contract, entries: readAbi(textOf(JSON.parse(contract.formatJson()))) };
}

const money = contractOf(
  'hand(address to, uint256 amount)',
  'handFor(address from, address to, uint256 amount)',
  'post(address to, uint256 amount, bytes note)',
);

function aRequest(more: Partial<TransferRequest> = {}): TransferRequest {
  const accounts = { key: alice, from: alice, to: bob };
  const rest = { amount: '7', tokenIndex: undefined, uri: undefined, config: undefined };
  return { kind: 'transfer', locator: '', ...accounts, ...rest, data: told, ...more };
}

describe('a call of the contract’s own methods', () => {
  it.each([
    ['carries its data where one can', money.entries, {}, 'post', true],
    ['names nobody who needs not be named', money.entries.slice(0, 2), {}, 'hand', false],
    ['names whose tokens it moves', money.entries, { from: carol }, 'handFor', false],
  ] as const)('%s', (_, entries, more, name, carriesData) => {
    const call = encodeMapped(entries, 'fungible', aRequest(more));
    const parsed = money.contract.parseTransaction({ data: call.data });
    expect([parsed?.name, call.carriesData]).toEqual([name, carriesData]);
    expect(parsed?.args['amount']).toBe(7n);
  });

  it('is decoded with its data, and no other call is', () => {
    const { data } = encodeMapped(money.entries, 'fungible', aRequest());
    const methods = { transfer: money.entries };
    expect(dataOfMapped(methods, data)).toBe(told);
    expect(dataOfMapped(methods, data.slice(0, 80))).toBeUndefined();
    expect(dataOfMapped({ transfer: money.entries.slice(0, 2) }, data)).toBeUndefined();
    expect([takesData(methods), takesData({ transfer: money.entries.slice(0, 2) })]).toEqual([true, false]);
  });

  const deeds = contractOf('enter(string text)', 'enter(address owner)', 'let(address friend, uint256 deed)');

  it('mints the given token where the contract takes its index, and says whether it does', () => {
    const { contract, entries } = contractOf('mint(address to)', 'safeMint(address to, uint256 tokenId)');
    const mint = (tokenIndex: string | undefined, methods = entries) => {
      const call = encodeMapped(methods, 'nonfungible', aRequest({ kind: 'mint', amount: '1', tokenIndex }));
      const parsed = contract.parseTransaction({ data: call.data });
      return [parsed?.name, parsed?.args['tokenId'] as unknown, call.namesToken];
    };
    expect(mint('5')).toEqual(['safeMint', 5n, true]);
    expect(mint(undefined)).toEqual(['mint', undefined, false]);
    expect(mint('5', entries.slice(0, 1))).toEqual(['mint', undefined, false]);
    expect(() => mint(undefined, entries.slice(1))).toThrow(/^PY1011: tokenIndex /);
  });

  it('mints with the given texts', () => {
    const one = { kind: 'mint', amount: '1', to: alice } as const;
    const call = encodeMapped(deeds.entries.slice(0, 2), 'nonfungible', aRequest({ ...one, uri: 'https://a' }));
    expect(deeds.contract.parseTransaction({ data: call.data })?.args[0]).toBe('https://a');
    const other = encodeMapped(deeds.entries.slice(0, 2), 'nonfungible', aRequest({ ...one, to: bob }));
    expect(deeds.contract.parseTransaction({ data: other.data })?.signature).toBe('enter(address)');
  });

  it.each([
    ['of somebody’s tokens that no method names', money.entries.slice(0, 1), { from: carol }],
    ['with a URI where none is taken', money.entries, { kind: 'mint', uri: 'https://a' }],
    [
      'for somebody else where the contract mints for its caller',
      contractOf('dig(uint256 n)').entries,
      { kind: 'mint' },
    ],
    ['of more than the method can count', contractOf('hand(address to, uint8 n)').entries, { amount: '256' }],
    ['that no method makes', contractOf('hand(bool sure)').entries, {}],
  ] as const)('is refused %s', (_, entries, more) => {
    expect(() => encodeMapped(entries, 'fungible', aRequest(more))).toThrow('PY1011');
  });

  it('mints one token at a time', () => {
    const request = aRequest({ kind: 'mint', amount: '2' });
    expect(() => encodeMapped(deeds.entries.slice(1, 2), 'nonfungible', request)).toThrow('PY1011');
  });

  function approval(config: string | undefined, approved = true) {
    return { locator: '', key: alice, operator: bob, approved, config: config as never, data: told };
  }

  it('approves for one token, and revokes that by approving the zero address', () => {
    const args = (approved: boolean) => {
      const request = approval('{"tokenIndex":"5"}', approved);
      const { data } = encodeMappedApproval(deeds.entries.slice(2), 'nonfungible', request);
      return deeds.contract.parseTransaction({ data })?.args.map(String);
    };
    expect(args(true)?.map((each) => each.toLowerCase())).toEqual([bob, '5']);
    expect(args(false)).toEqual([`0x${'0'.repeat(40)}`, '5']);
  });

  it.each([
    ['without the token of a contract that approves for one', deeds.entries.slice(2), 'nonfungible', undefined],
    [
      'for a token of a contract that approves for all',
      contractOf('a(address o, bool b)').entries,
      'nonfungible',
      '{"tokenIndex":1}',
    ],
    [
      'for an allowance that the method cannot say',
      contractOf('a(address o, bool b)').entries,
      'fungible',
      '{"allowance":1}',
    ],
  ] as const)('approves nothing %s', (_, entries, type, config) => {
    expect(() => encodeMappedApproval(entries, type, approval(config))).toThrow('PY1011');
  });
});

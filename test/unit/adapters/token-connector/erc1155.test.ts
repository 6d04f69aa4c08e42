import { compact } from '../../../../src/wire/json/json-reader.js';
import { AbiCoder, Interface, getAddress, hexlify, id as hashOf, toUtf8Bytes } from 'ethers';
import { describe, expect, test } from 'vitest';
import { createErc1155 } from '../../../../src/adapters/token-connector/erc1155.js';
import { tokenPoolsAbi } from '../../../../src/domain/tokens/contracts.js';
import type { ContractLog } from '../../../../src/ports/blockchain.js';
import type { TransferRequest } from '../../../../src/ports/token-connector.js';
import { codeOf } from '../../../support/codes.js';

const address = `0x${'11'.repeat(20)}`;
const [alice, bob] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
const nobody = `0x${'00'.repeat(20)}`;
const connector = createErc1155({ address, firstBlock: 0 });
const contract = new Interface(tokenPoolsAbi);
const coinsStart = `0x${'1'.padEnd(33, '0')}`;
const coins = `address=${address}&type=fungible&startId=${coinsStart}&endId=${coinsStart}&block=7`;
const deedsStart = `0x8${'0'.repeat(30)}2${'0'.repeat(32)}`;
const deedsEnd = `0x8${'0'.repeat(30)}2${'f'.repeat(32)}`;
const deeds = `address=${address}&type=nonfungible&startId=${deedsStart}&endId=${deedsEnd}&block=9`;

function aRequest(more: Partial<TransferRequest> = {}): TransferRequest {
  const rest = { tokenIndex: undefined, uri: undefined, config: undefined, data: '{}' };
  return { kind: 'mint', locator: coins, key: alice, from: alice, to: bob, amount: '1', ...rest, ...more };
}

/** Returns the call as method and arguments. */
function said(request: TransferRequest): unknown[] {
  const call = contract.parseTransaction({ data: connector.transfer(request).data });
  return [call?.name, ...(call?.args.toArray(true) ?? [])];
}

const topic = (account: string): string => `0x${account.slice(2).padStart(64, '0')}`;

function aLog(
  event: string,
  more: { topics: string[]; types: string[]; values: unknown[]; logIndex?: number },
): ContractLog {
  return {
    type: 'contract_log',
    position: { block: 12, transactionIndex: 3, logIndex: more.logIndex ?? 4 },
    transactionHash: 'ab'.repeat(32),
    time: '2026-01-15T10:00:00.000Z',
    address,
    topics: [hashOf(event), ...more.topics],
    data: AbiCoder.defaultAbiCoder().encode(more.types, more.values),
  };
}

function aBatch(ids: bigint[], values: bigint[], from = nobody, to = bob): ContractLog {
  return aLog('TransferBatch(address,address,address,uint256[],uint256[])', {
    topics: [alice, from, to].map(topic),
    types: ['uint256[]', 'uint256[]'],
    values: [ids, values],
  });
}

function aDataLog(data: string, uri = '', logIndex = 5): ContractLog {
  const event = 'TransferData(address,bytes,string)';
  const values = [hexlify(toUtf8Bytes(data)), uri];
  return aLog(event, { topics: [topic(alice)], types: ['bytes', 'string'], values, logIndex });
}

describe('A locator', () => {
  test('contains everything about a pool', () => {
    expect(connector.locate(coins)).toMatchObject({
      type: 'fungible',
      key: `${address}/${coinsStart}`,
      address,
      block: 7,
      takesData: true,
      standard: 'ERC1155',
      decimals: 0,
      startId: coinsStart,
    });
    expect(connector.locate(coins)?.info).toBe(
      `{"address":"${address}","startId":"${coinsStart}","endId":"${coinsStart}"}`,
    );
    expect(connector.locate(deeds)).toMatchObject({ type: 'nonfungible', startId: deedsStart, block: 9 });
  });

  test.each([
    ['ids beyond 256 bits', coins.replaceAll('0x1', `0x1${'0'.repeat(32)}`)],
    ['an end that is not that of its pool', deeds.replace('f&', 'e&')],
    ['a kind that its ids are not of', deeds.replace('nonfungible', 'fungible')],
    ['another spelling of a number', coins.replace('block=7', 'block=07')],
    ['another spelling of an id', coins.replaceAll('0x1', '0x01')],
    ['letters in upper case', coins.replace(address, address.toUpperCase())],
    ['a start inside of its pool', deeds.replace(deedsStart, `${deedsStart.slice(0, -1)}1`)],
    ['the pool of number 0', coins.replaceAll(coinsStart, '0x0')],
  ])('does not have %s', (_, text) => {
    expect(connector.locate(text)).toBeUndefined();
  });
});

describe('A request', () => {
  const bytes = '0x7b7d';
  const start = BigInt(coinsStart);

  test('becomes the call of its kind', () => {
    expect(said(aRequest({ amount: '7' }))).toEqual(['mintFungible', start, [getAddress(bob)], [7n], bytes]);
    const move = aRequest({ kind: 'transfer', amount: '7' });
    expect(said(move)).toEqual(['safeTransferFrom', getAddress(alice), getAddress(bob), start, 7n, bytes]);
    expect(said(aRequest({ kind: 'burn', amount: '7' }))).toEqual(['burn', getAddress(alice), start, 7n, bytes]);
    const token = aRequest({ locator: deeds, kind: 'burn', tokenIndex: '5' });
    expect(said(token)).toEqual(['burn', getAddress(alice), BigInt(deedsStart) | 5n, 1n, bytes]);
  });

  test('for several non-fungible tokens names the recipient once for each', () => {
    const [name, , to] = said(aRequest({ locator: deeds, amount: '250' }));
    expect([name, (to as string[]).length]).toEqual(['mintNonFungible', 250]);
    expect(said(aRequest({ locator: deeds, uri: 'https://a' })).at(-1)).toBe('https://a');
    expect(said(aRequest({ locator: deeds, uri: '' }))[0]).toBe('mintNonFungible');
  });

  test.each([
    ['more tokens than a mint has', { locator: deeds, amount: '251' }, 'field_type'],
    ['no token to mint', { locator: deeds, amount: '0' }, 'field_type'],
    ['a URI for fungible tokens', { uri: 'https://a' }, 'field_type'],
    ['a URI that is too long', { locator: deeds, uri: 'ü'.repeat(513) }, 'too_long'],
    ['the index 0', { locator: deeds, kind: 'burn' as const, tokenIndex: '0' }, 'field_type'],
    [
      'an index outside of the pool',
      { locator: deeds, kind: 'burn' as const, tokenIndex: String(2n ** 128n) },
      'field_type',
    ],
  ])('is refused with %s', (_, more, reason) => {
    expect(() => connector.transfer(aRequest(more))).toThrow(expect.objectContaining({ reason }));
  });

  test('for another contract is sent to that contract', () => {
    const toOf = (config?: string) => {
      const pool = { type: 'fungible', name: 'a', symbol: undefined } as const;
      const origin = connector.createPool({ ...pool, config: config === undefined ? undefined : compact(config) }, '');
      return origin.kind === 'call' ? origin.call.to : undefined;
    };
    expect(toOf()).toBe(address);
    expect(toOf(`{"address":"${alice.toUpperCase().replace('X', 'x')}"}`)).toBe(alice);
  });

  test('of 250 tokens with the longest URI fits in one transaction', () => {
    const { gas } = connector.transfer(aRequest({ locator: deeds, amount: '250', uri: 'u'.repeat(1_024) }));
    expect(gas).toBeLessThan(16_777_216);
  });
});

describe('A batch of transfers', () => {
  const first = BigInt(deedsStart) | 1n;

  test('is one event per entry, each with its place, its index and its URI', () => {
    const events = connector.events([aBatch([first, first + 1n], [1n, 1n]), aDataLog('{}', 'https://a/{id}')]);
    expect(events.map(({ protocolId, data }) => [protocolId, data])).toEqual([
      ['000000000012/000003/000004/000000', '{}'],
      ['000000000012/000003/000004/000001', '{}'],
    ]);
    expect(events).toMatchObject([
      { kind: 'mint', tokenIndex: '1', amount: '1', uri: `https://a/8${'0'.repeat(30)}2${'0'.repeat(31)}1` },
      { kind: 'mint', tokenIndex: '2', amount: '1', uri: `https://a/8${'0'.repeat(30)}2${'0'.repeat(31)}2` },
    ]);
  });

  test('over several pools is an event in each, and none for ids that are not tokens of a pool', () => {
    const fungible = 1n << 128n;
    const ids = [first, fungible, fungible | 3n, BigInt(deedsStart)];
    const events = connector.events([aBatch(ids, [1n, 40n, 0n, 0n], alice)]);
    expect(events).toMatchObject([
      { kind: 'transfer', pool: `${address}/${deedsStart}`, tokenIndex: '1', from: alice, to: bob },
      { kind: 'transfer', pool: `${address}/${coinsStart}`, tokenIndex: null, amount: '40' },
    ]);
  });

  test('of which each has its own id and value only, so that a log with many entries makes no large records', () => {
    const [move] = connector.events([aBatch([first, first + 1n], [1n, 1n], alice)]);
    expect(move?.output).toBe(`{"operator":"${alice}","from":"${alice}","to":"${bob}","id":"${first}","value":"1"}`);
  });

  test('has only the data of the directly following log', () => {
    const elsewhere = { ...aDataLog('other contract'), address: alice };
    for (const log of [elsewhere, aDataLog('too far', '', 6)]) {
      expect(connector.events([aBatch([first], [1n]), log])[0]?.data).toBeUndefined();
    }
  });
});

test('an approval applies to every pool of its contract', () => {
  const log = aLog('ApprovalForAll(address,address,bool)', {
    topics: [alice, bob].map(topic),
    types: ['bool'],
    values: [true],
  });
  const data = aLog('ApprovalData(bytes)', { topics: [], types: ['bytes'], values: ['0x7b7d'], logIndex: 5 });
  expect(connector.events([log, data])).toMatchObject([
    {
      type: 'approval',
      pool: null,
      address,
      signer: alice,
      operator: bob,
      approved: true,
      subject: `${alice}:${bob}`,
      data: '{}',
    },
  ]);
});

test.each(['{"tokenIndex":"5"}', '{"allowance":"5"}'])(
  'an approval of only %s is refused, not given for all',
  (config) => {
    const request = { locator: coins, key: alice, operator: bob, approved: true, config: config as never, data: '{}' };
    expect(codeOf(() => connector.approve(request))).toBe('PY1011');
  },
);

test('a pool with inconsistent ids is ignored', () => {
  const event = 'PoolCreated(address,uint256,uint256,bool,bytes)';
  const create = (startId: bigint, endId: bigint, isFungible: boolean): unknown =>
    connector.readCreation(
      aLog(event, {
        topics: [topic(alice), `0x${startId.toString(16).padStart(64, '0')}`],
        types: ['uint256', 'bool', 'bytes'],
        values: [endId, isFungible, '0x'],
      }),
    );
  const start = 3n << 128n;
  const locator = `address=${address}&type=fungible&startId=0x3${'0'.repeat(32)}&endId=0x3${'0'.repeat(32)}&block=12`;
  expect(create(start, start, true)).toEqual({ locator, creator: alice });
  expect(create(start, start, false)).toBeUndefined();
  expect(create(start, start + 1n, true)).toBeUndefined();
  expect(create(start + 1n, start + 1n, true)).toBeUndefined();
});

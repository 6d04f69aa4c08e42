import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endAtHead } from '../../../src/devchain/log-range.js';
import { serve, type Served } from './support.js';

const head = 7;
const far = '0xfffffffffff';

describe('the range of a log filter', () => {
  test.each([
    [{ fromBlock: '0x0', toBlock: far }],
    [{ toBlock: '0x8', address: `0x${'1'.repeat(40)}` }],
    [{ fromBlock: 'earliest', toBlock: `0x${'f'.repeat(40)}` }],
  ])('ends at the head: %j', (filter) => {
    expect(endAtHead(head, [filter])).toEqual([{ ...filter, toBlock: '0x7' }]);
  });

  test.each([
    [{}],
    [{ fromBlock: far }],
    [{ fromBlock: '0x0', toBlock: '0x7' }],
    [{ toBlock: 'latest' }],
    [{ toBlock: null }],
    [{ blockHash: `0x${'1'.repeat(64)}` }],
    [null],
  ])('stays as it is within the chain: %j', (filter) => {
    expect(endAtHead(head, [filter])).toEqual([filter]);
  });

  test('is empty beyond the head', () => {
    expect(endAtHead(head, [{ fromBlock: '0x8', toBlock: far }])).toBeUndefined();
  });

  test.each([5, '5', 'last', { blockNumber: far }, [far]])('ends at a quantity or a tag, not at %j', (toBlock) => {
    expect(() => endAtHead(head, [{ toBlock }])).toThrow('toBlock must be');
  });
});

describe('a served chain', () => {
  let served: Served;
  beforeEach(async () => {
    served = await serve();
  });
  afterEach(() => served.stop());

  test('answers log filters that end far ahead of it', async () => {
    expect(await served.call('eth_getLogs', { fromBlock: '0x0', toBlock: far })).toEqual([]);
    expect(await served.call('eth_getLogs', { fromBlock: '0x100', toBlock: far })).toEqual([]);
    for (const fromBlock of ['0x0', '0x100']) {
      const id = await served.call('eth_newFilter', { fromBlock, toBlock: far });
      expect(await served.call('eth_getFilterLogs', id)).toEqual([]);
    }
    expect(await served.call('eth_blockNumber')).toBe('0x0');
  });
});

import type { NewRow } from '../../src/ports/tables/tables.js';
import { contractAddress, tokenId } from './token-logs.js';
import { uuid } from './fixtures.js';

/** The locator of a pool in the contract of `token-logs.ts`. */
export function locatorOf(counter: number, type: 'fungible' | 'nonfungible', block = 1): string {
  const startId = tokenId(counter, type);
  const endId = type === 'fungible' ? startId : startId | ((1n << 128n) - 1n);
  const [start, end] = [startId, endId].map((id) => `0x${id.toString(16)}`);
  return `address=${contractAddress}&type=${type}&startId=${start}&endId=${end}&block=${block}`;
}

/** A followed pool. */
export function aPool(
  counter: number,
  type: 'fungible' | 'nonfungible',
  changes: Partial<NewRow<'pools'>> = {},
): NewRow<'pools'> {
  return {
    namespace: 'default',
    id: uuid(0x1000 + counter),
    name: `pool-${counter}`,
    networkName: null,
    type,
    standard: 'ERC1155',
    locator: locatorOf(counter, type),
    chainKey: `${contractAddress}/0x${tokenId(counter, type).toString(16)}`,
    address: contractAddress,
    key: null,
    symbol: null,
    decimals: 0,
    connector: 'erc1155',
    message: null,
    state: 'followed',
    refusal: null,
    active: true,
    created: '2026-01-15T10:00:00.000Z',
    info: null,
    txtype: 'token_pool',
    txid: uuid(0x2000 + counter),
    interface: null,
    interfaceFormat: null,
    methods: null,
    published: false,
    pin: null,
    claim: null,
    verified: false,
    ...changes,
  };
}

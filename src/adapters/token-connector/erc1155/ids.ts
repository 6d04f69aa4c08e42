import type { TokenType } from '../../../wire/token.js';

/** A pool within a contract: the ids of its tokens, and its locator (docs/protocol.md §13.3). */
export interface PoolIds {
  readonly address: string;
  readonly type: TokenType;
  readonly startId: bigint;
  readonly endId: bigint;
  readonly block: number;
}

const nonFungibleBit = 1n << 255n;
const indexMask = (1n << 128n) - 1n;

export const maxIndex = indexMask;

export function typeOfId(id: bigint): TokenType {
  return (id & nonFungibleBit) === 0n ? 'fungible' : 'nonfungible';
}

export function startOfId(id: bigint): bigint {
  return id & ~indexMask;
}

export function indexOfId(id: bigint): bigint {
  return id & indexMask;
}

export function endOf(startId: bigint): bigint {
  return typeOfId(startId) === 'fungible' ? startId : startId | indexMask;
}

export function hexOf(id: bigint): string {
  return `0x${id.toString(16)}`;
}

/** The id in the form that replaces `{id}` in a URI. */
export function digitsOf(id: bigint): string {
  return id.toString(16).padStart(64, '0');
}

/** Whether ids from events of the contract form a valid pool. */
export function isValidPool(startId: bigint, endId: bigint, type: TokenType): boolean {
  return (
    startOfId(startId) === startId &&
    (startId & ~nonFungibleBit) !== 0n &&
    endOf(startId) === endId &&
    typeOfId(startId) === type
  );
}

export function writeLocator({ address, type, startId, endId, block }: PoolIds): string {
  return `address=${address}&type=${type}&startId=${hexOf(startId)}&endId=${hexOf(endId)}&block=${block}`;
}

const locatorPattern = new RegExp(
  '^address=(0x[0-9a-f]{40})&type=(fungible|nonfungible)' +
    '&startId=(0x[0-9a-f]{1,64})&endId=(0x[0-9a-f]{1,64})&block=([0-9]{1,15})$',
);

/** Parses a locator in the exact form of `writeLocator`; undefined for any other text. */
export function readLocator(locator: string): PoolIds | undefined {
  const [, address = '', type, start = '', end = '', block] = locatorPattern.exec(locator) ?? [];
  if (type !== 'fungible' && type !== 'nonfungible') return undefined;
  const pool = { address, type, startId: BigInt(start), endId: BigInt(end), block: Number(block) } as const;
  return writeLocator(pool) === locator && isValidPool(pool.startId, pool.endId, type) ? pool : undefined;
}

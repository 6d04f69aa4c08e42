import type { TokenType } from '../../../wire/token.js';

export type Schema = 'ERC20WithData' | 'ERC20NoData' | 'ERC721WithData' | 'ERC721NoData';

/** A token contract, and its locator (docs/protocol.md §13.4). */
export interface TokenContract {
  readonly address: string;
  readonly type: TokenType;
  readonly schema: Schema;
  /** The block at which reading begins. */
  readonly block: number;
  readonly decimals: number;
  /** Whether it accepts data without emitting it, so that the data is read from the transaction's input. */
  readonly isSilent: boolean;
}

/** Omitted from locators, since nearly every contract has them. */
const usualDecimals: Readonly<Record<TokenType, number>> = { fungible: 18, nonfungible: 0 };

export function writeLocator({ address, type, schema, block, decimals, isSilent }: TokenContract): string {
  const ofDecimals = decimals === usualDecimals[type] ? '' : `&decimals=${decimals}`;
  return `address=${address}&type=${type}&schema=${schema}&block=${block}${ofDecimals}${isSilent ? '&data=input' : ''}`;
}

const locatorPattern = new RegExp(
  '^address=(0x[0-9a-f]{40})&(?:type=fungible&schema=(ERC20WithData|ERC20NoData)' +
    '|type=nonfungible&schema=(ERC721WithData|ERC721NoData))' +
    '&block=([0-9]{1,15})(?:&decimals=([0-9]{1,3}))?(&data=input)?$',
);

/** Parses a locator in the exact form of `writeLocator`; undefined for any other text. */
export function readLocator(locator: string): TokenContract | undefined {
  const found = locatorPattern.exec(locator);
  if (found === null) return undefined;
  const [, address = '', erc20, erc721, block, decimals, silent] = found;
  const type = erc721 === undefined ? 'fungible' : 'nonfungible';
  const contract: TokenContract = {
    address,
    type,
    schema: (erc721 ?? erc20) as Schema, // the pattern accepts no other text
    block: Number(block),
    decimals: decimals === undefined ? usualDecimals[type] : Number(decimals),
    isSilent: silent !== undefined,
  };
  return writeLocator(contract) === locator ? contract : undefined;
}

export function takesData({ schema }: Pick<TokenContract, 'schema'>): boolean {
  return schema === 'ERC20WithData' || schema === 'ERC721WithData';
}

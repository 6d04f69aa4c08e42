import type { TokenPool, TokenTransfer } from '../../../../src/wire/token.js';
import { PoolAmount } from './pool-amount.js';
import { ShortTokenIndex } from './token-link.js';

interface Props {
  readonly transfer: Pick<TokenTransfer, 'amount' | 'tokenIndex'>;
  readonly pool: TokenPool | undefined;
  /** Whether it is in a column of a list, which is too narrow for a large amount or index. */
  readonly isShort?: boolean;
}

/** The amount of a transfer, or the index of its non-fungible token. */
export function TransferAmount({ transfer: { amount, tokenIndex }, pool, isShort = false }: Props) {
  if (tokenIndex === undefined) return <PoolAmount digits={amount} pool={pool} isShort={isShort} />;
  return isShort ? <ShortTokenIndex index={tokenIndex} /> : <span title={`token ${tokenIndex}`}>#{tokenIndex}</span>;
}

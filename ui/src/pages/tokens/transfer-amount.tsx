import type { TokenPool, TokenTransfer } from '../../../../src/wire/token.js';
import { PoolAmount } from './pool-amount.js';

interface Props {
  readonly transfer: Pick<TokenTransfer, 'amount' | 'tokenIndex'>;
  readonly pool: TokenPool | undefined;
}

/** The amount of a transfer, or the index of its non-fungible token. */
export function TransferAmount({ transfer: { amount, tokenIndex }, pool }: Props) {
  if (tokenIndex === undefined) return <PoolAmount digits={amount} pool={pool} />;
  return <span title={`token ${tokenIndex}`}>#{tokenIndex}</span>;
}

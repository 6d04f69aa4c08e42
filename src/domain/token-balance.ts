/** What a transfer moves. */
export interface Movement {
  /** Null of a fungible token. */
  readonly tokenIndex: string | null;
  /** Null for the zero address. */
  readonly from: string | null;
  readonly to: string | null;
  /** Decimal digits. */
  readonly amount: string;
}

/** What changes for one key of one pool or token. */
export interface Change {
  readonly key: string;
  /** Empty of a fungible pool. */
  readonly tokenIndex: string;
  /** What it has more than before, or less. */
  readonly by: bigint;
}

/**
 * What a transfer changes: `from` loses, `to` gains, and nobody stands for the zero address (S §15.5). Amounts are
 * decimal digits of any length, and nothing is rounded.
 */
export function changesOf({ tokenIndex, from, to, amount }: Movement): readonly Change[] {
  const by = BigInt(amount);
  const slot = { tokenIndex: tokenIndex ?? '' };
  return [
    ...(from === null ? [] : [{ ...slot, key: from, by: -by }]),
    ...(to === null ? [] : [{ ...slot, key: to, by }]),
  ];
}

/**
 * A balance after a change, as decimal digits. It is below zero only of a contract whose events do not tell all, such
 * as one that gave out tokens without saying so.
 */
export function balanceAfter(balance: string, by: bigint): string {
  return String(BigInt(balance) + by);
}

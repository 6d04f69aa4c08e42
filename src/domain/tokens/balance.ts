/** The effect of a transfer. */
export interface Movement {
  /** Null for a fungible token. */
  readonly tokenIndex: string | null;
  /** Null for the zero address. */
  readonly from: string | null;
  readonly to: string | null;
  /** Decimal digits. */
  readonly amount: string;
}

/** The change of one key's balance in one pool or token. */
export interface Change {
  readonly key: string;
  /** Empty for a fungible pool. */
  readonly tokenIndex: string;
  /** The difference; negative for a loss. */
  readonly by: bigint;
}

/**
 * The balance changes of a transfer: `from` loses, `to` gains, and the zero address has no balance
 * (docs/protocol.md §13.2). Amounts are decimal digits of any length; nothing is rounded.
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
 * A balance after a change, as decimal digits. It can be negative only for a contract whose events are incomplete, such
 * as one that issued tokens without an event.
 */
export function balanceAfter(balance: string, by: bigint): string {
  return String(BigInt(balance) + by);
}

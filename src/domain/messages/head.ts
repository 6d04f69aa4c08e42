/** The fields of a pin that the rule of order reads. */
export interface OrderedPin {
  /** Position in chain order. */
  readonly sequence: number;
  readonly spent: boolean;
  /** Whether it belongs to a private batch. */
  readonly masked: boolean;
}

/** The next expected pin of a member in a private context. */
export interface Expectation {
  readonly identity: string;
  /** The masked pin of the member's next nonce. */
  readonly hash: string;
}

/**
 * The head of a broadcast context: its earliest unspent expected pin, or undefined if there is none. Pins come in chain
 * order. Every broadcast pin with the hash of the topic is expected; only pins of the right kind count, so a masked pin
 * that copies the hash of a topic blocks nobody (docs/protocol.md §8.4).
 */
export function headOf<P extends OrderedPin>(pins: Iterable<P>): P | undefined {
  for (const pin of pins) {
    if (!pin.spent && !pin.masked) return pin;
  }
  return undefined;
}

/**
 * Whether a pin is the next one expected of a member in a private context: it has the value of the member's masked pin
 * and the member itself signed it. So nobody can block or use up another member's position by pinning its value
 * (docs/protocol.md §8.4).
 */
export function isExpected(
  pin: OrderedPin & { readonly context: string; readonly identity: string },
  { identity, hash }: Expectation,
): boolean {
  return !pin.spent && pin.masked && pin.identity === identity && pin.context === hash;
}

/** The head of a private context: the earliest of its members' expected pins. */
export function earliest<P extends OrderedPin>(expected: Iterable<P>): P | undefined {
  let head: P | undefined;
  for (const pin of expected) {
    if (head === undefined || pin.sequence < head.sequence) head = pin;
  }
  return head;
}

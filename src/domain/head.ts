/** What the rule reads of a pin. */
export interface OrderedPin {
  /** Its place in the order of the chain. */
  readonly sequence: number;
  readonly spent: boolean;
  /** Whether it belongs to a private batch. */
  readonly masked: boolean;
}

/** What the rule reads of the next pin that is expected of a member in a private context. */
export interface Expectation {
  readonly identity: string;
  /** The masked pin of the member's next nonce. */
  readonly hash: string;
}

/**
 * The head of a broadcast context: its earliest unspent expected pin, or undefined if there is none. Pins come in chain
 * order. Every pin of a broadcast that carries the hash of the topic is expected; only pins of the right kind count, so
 * a masked pin that copies the hash of a topic is in nobody's way (S §8.6; architecture, 2).
 */
export function headOf<P extends OrderedPin>(pins: Iterable<P>): P | undefined {
  for (const pin of pins) {
    if (!pin.spent && !pin.masked) return pin;
  }
  return undefined;
}

/**
 * Whether a pin is the one that is expected of a member next in a private context: it carries the member's own masked
 * pin and was signed by the member itself, so nobody can block or use up another's place by pinning its value (S §8.6).
 */
export function isExpected(
  pin: OrderedPin & { readonly context: string; readonly identity: string },
  { identity, hash }: Expectation,
): boolean {
  return !pin.spent && pin.masked && pin.identity === identity && pin.context === hash;
}

/** The head of a private context, of the pins that are expected of its members: the earliest, of whatever member. */
export function earliest<P extends OrderedPin>(expected: Iterable<P>): P | undefined {
  let head: P | undefined;
  for (const pin of expected) {
    if (head === undefined || pin.sequence < head.sequence) head = pin;
  }
  return head;
}

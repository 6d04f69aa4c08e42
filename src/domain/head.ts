/** What the rule reads of a pin. */
export interface OrderedPin {
  readonly spent: boolean;
  /** Whether it belongs to a private batch. */
  readonly masked: boolean;
}

/**
 * The head of a broadcast context: its earliest unspent expected pin, or undefined if there is none. Pins come in chain
 * order. Only pins of the right kind count, so a masked pin that copies the hash of a topic is in nobody's way
 * (architecture, 2).
 */
export function headOf<P extends OrderedPin>(pins: Iterable<P>): P | undefined {
  for (const pin of pins) {
    if (!pin.spent && isExpected(pin)) return pin;
  }
  return undefined;
}

/** In a broadcast context every pin that carries the hash of the topic is expected (S §8.6). */
export function isExpected(pin: OrderedPin): boolean {
  return !pin.masked;
}

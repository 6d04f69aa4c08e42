/**
 * The position of a log in the form that every node uses: block, transaction and log, as 12, 6 and 6 decimal digits
 * (docs/protocol.md §13.2). The texts sort in chain order.
 */
export function protocolIdOf(place: {
  readonly block: number;
  readonly transactionIndex: number;
  readonly logIndex: number;
}): string {
  return `${placeOf(place)}/${digits(place.logIndex, 6)}`;
}

/** The place of a transaction, as `protocolIdOf` begins. */
export function placeOf(place: { readonly block: number; readonly transactionIndex: number }): string {
  return `${digits(place.block, 12)}/${digits(place.transactionIndex, 6)}`;
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

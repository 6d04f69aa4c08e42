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

/** The position of a transaction: the beginning of `protocolIdOf`. */
export function placeOf(place: { readonly block: number; readonly transactionIndex: number }): string {
  return `${digits(place.block, blockDigits)}/${digits(place.transactionIndex, 6)}`;
}

/** The block of a position in that form. */
export function blockOf(protocolId: string): number {
  return Number(protocolId.slice(0, blockDigits));
}

/** The lowest text above all positions in a block: exactly the positions of later blocks are greater. */
export function endOfBlock(block: number): string {
  return `${digits(block + 1, blockDigits)}/`;
}

const blockDigits = 12;

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

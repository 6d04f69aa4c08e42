/**
 * The place of a log as every node writes it: block, transaction and log, as 12, 6 and 6 decimal digits (S §15.6). The
 * order of the texts is that of the chain.
 */
export function protocolIdOf(place: {
  readonly block: number;
  readonly transactionIndex: number;
  readonly logIndex: number;
}): string {
  const digits = (value: number, width: number): string => String(value).padStart(width, '0');
  return `${digits(place.block, 12)}/${digits(place.transactionIndex, 6)}/${digits(place.logIndex, 6)}`;
}

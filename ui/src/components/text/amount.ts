/** An amount of a chain has no more digits; a definition of a pool may name any number. */
const maxDecimals = 77;

/** The sum of amounts in decimal digits, as digits. */
export function sumOf(amounts: readonly string[]): string {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n).toString();
}

/**
 * An amount of the smallest unit for reading: digits in groups, behind a point as many as the pool has decimals. No
 * digit is lost but the zeros at the end of a fraction.
 */
export function amountText(digits: string, decimals = 0): string {
  const places = decimals >= 0 && decimals <= maxDecimals ? decimals : 0;
  const padded = digits.padStart(places + 1, '0');
  const whole = grouped(padded.slice(0, padded.length - places));
  const fraction = padded.slice(padded.length - places).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ' ');
}

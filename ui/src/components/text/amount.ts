/** The maximum number of decimals. An amount has no more digits; a pool may claim any number of decimals. */
const maxDecimals = 77;

/** Sums amounts given in decimal digits. */
export function sumOf(amounts: readonly string[]): string {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n).toString();
}

/**
 * Formats an amount of the smallest unit: digits in groups of three, with the decimals of the pool after a point. It
 * drops no digits but the zeros at the end of the fraction.
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

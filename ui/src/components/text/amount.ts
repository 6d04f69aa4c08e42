/** The maximum number of decimals. An amount has no more digits; a pool may claim any number of decimals. */
const maxDecimals = 77;

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

/** The number of characters that fit into an amount column of a list. */
export const maxShortCharacters = 13;
const significantDigits = 3;

/**
 * Shortens an amount from `amountText` so that its magnitude stays clear. It drops decimals if the whole part fits, as
 * in `≈ 12 345.678`, otherwise it uses powers of ten, as in `≈ 1.23 × 10¹⁹`. Digits are dropped, never rounded up.
 * Amounts of up to `maxShortCharacters` are unchanged.
 */
export function shortAmountText(amount: string): string {
  if (amount.length <= maxShortCharacters) return amount;
  const [whole = '', fraction = ''] = amount.split('.');
  const digits = whole.replaceAll(/\D/g, '');
  const room = maxShortCharacters - '≈ .'.length - whole.length;
  const kept = fraction.slice(0, Math.max(0, room));
  const significant = kept.replace(/^0+/, '').length;
  if (digits === '0' && significant < significantDigits) return powerText(fraction, -1);
  if (whole.length + '≈ '.length > maxShortCharacters) return powerText(digits, digits.length - 1);
  return `≈ ${kept === '' ? whole : `${whole}.${kept}`}`;
}

/** Formats digits as a power of ten. `power` is that of the first digit, which may be a zero. */
function powerText(digits: string, power: number): string {
  const first = digits.search(/[1-9]/);
  const dropped = digits.slice(first + significantDigits);
  const isExact = /^0*$/.test(dropped);
  const shown = digits.slice(first, first + significantDigits);
  const [leading = '', ...others] = isExact ? shown.replace(/0+$/, '') : shown;
  const mantissa = others.length === 0 ? leading : `${leading}.${others.join('')}`;
  return `${isExact ? '' : '≈ '}${mantissa} × 10${superscript(power - first)}`;
}

function superscript(power: number): string {
  return String(power).replaceAll(/[-\d]/g, (sign) => (sign === '-' ? '⁻' : ('⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)] ?? '')));
}

function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ' ');
}

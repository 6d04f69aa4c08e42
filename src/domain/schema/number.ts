/**
 * Whether a number is a whole multiple of another, both taken as the shortest decimals that mean them: 19.99 is a
 * multiple of 0.01, which a division of floats would deny.
 */
export function multipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(divisor)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return divisor !== 0 && value % divisor === 0;
  if (value === 0) return divisor !== 0;
  const [a, b] = [decimalOf(value), decimalOf(divisor)];
  if (b.digits === 0n) return false;
  const shift = a.exponent - b.exponent;
  // Seventeen digits have no more zeros at the end, and their factors 2 and 5 are all in this power of ten.
  if (shift < -maxDigits) return false;
  if (shift < 0) return a.digits % (b.digits * 10n ** BigInt(-shift)) === 0n;
  return (a.digits * 10n ** BigInt(Math.min(shift, maxFactors))) % b.digits === 0n;
}

/** The shortest decimal that means a number has no more digits. */
const maxDigits = 17;
/** Of a number with so many digits, less than 2 to this power. */
const maxFactors = 57;

/** Digits times a power of ten. */
function decimalOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/**
 * Whether a number is an integer multiple of another, both taken as the shortest decimals that represent them: 19.99 is
 * a multiple of 0.01, which float division would deny.
 */
export function multipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(divisor)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return divisor !== 0 && value % divisor === 0;
  if (value === 0) return divisor !== 0;
  const [a, b] = [decimalOf(value), decimalOf(divisor)];
  if (b.digits === 0n) return false;
  const shift = a.exponent - b.exponent;
  // Seventeen digits have no more trailing zeros, and all their factors 2 and 5 are in this power of ten.
  if (shift < -maxDigits) return false;
  if (shift < 0) return a.digits % (b.digits * 10n ** BigInt(-shift)) === 0n;
  return (a.digits * 10n ** BigInt(Math.min(shift, maxFactors))) % b.digits === 0n;
}

/** The most digits in the shortest decimal of a number. */
const maxDigits = 17;
/** A number of that many digits is less than 2 to this power. */
const maxFactors = 57;

/** A number as digits times a power of ten. */
function decimalOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

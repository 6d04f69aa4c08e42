/**
 * Whether a number is a whole multiple of another, both taken as the shortest decimals that mean them: 19.99 is a
 * multiple of 0.01, which a division of floats would deny.
 */
export function multipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(divisor)) return false;
  const [a, b] = [decimalOf(value), decimalOf(divisor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = b.digits * 10n ** BigInt(b.exponent - exponent);
  return scaled !== 0n && (a.digits * 10n ** BigInt(a.exponent - exponent)) % scaled === 0n;
}

/** Digits times a power of ten. */
function decimalOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

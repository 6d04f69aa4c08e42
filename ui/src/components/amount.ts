/** The sum of amounts in decimal digits, as digits. */
export function sumOf(amounts: readonly string[]): string {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n).toString();
}

/** Digits grouped for reading; no digit is lost. */
export function amountText(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ' ');
}

const unitMs: Readonly<Record<string, number>> = {
  ns: 0.000_001,
  us: 0.001,
  µs: 0.001,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};
const part = String.raw`(\d{1,9}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h)`;
const wholePattern = new RegExp(`^(?:${part})+$`);

/**
 * Reads a duration in milliseconds: a whole number of the given unit, or text in the format of Go, such as `500ms`,
 * `1.5s` or `2m0s`, which clients of FireFly in Go send. Undefined for any other text.
 */
export function readDurationMs(text: string, unit: 'ms' | 's'): number | undefined {
  if (isPlainNumber(text)) return Number(text) * (unitMs[unit] ?? 1);
  if (!wholePattern.test(text)) return undefined;
  const parts = [...text.matchAll(new RegExp(part, 'g'))];
  const sum = parts.reduce((total, [, amount, its = '']) => total + Number(amount) * (unitMs[its] ?? 1), 0);
  return Math.round(sum);
}

/** Whether a duration is a number alone, so that the context gives its unit. */
export function isPlainNumber(text: string): boolean {
  return /^\d{1,9}$/.test(text);
}

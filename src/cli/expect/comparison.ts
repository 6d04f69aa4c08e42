/** A comparison with a whole number of any size. */
export interface Comparison {
  readonly operator: (typeof operators)[number];
  readonly number: bigint;
}

const operators = ['=', '>=', '<=', '>', '<'] as const;

/** Parses `=10` or `>=10`; undefined for anything else. */
export function readComparison(text: string): Comparison | undefined {
  const [, typed, digits] = /^(=|>=|<=|>|<)(\d{1,78})$/.exec(text) ?? [];
  const operator = operators.find((each) => each === typed);
  return operator === undefined || digits === undefined ? undefined : { operator, number: BigInt(digits) };
}

export function meets(actual: bigint, { operator, number }: Comparison): boolean {
  switch (operator) {
    case '=':
      return actual === number;
    case '>=':
      return actual >= number;
    case '<=':
      return actual <= number;
    case '>':
      return actual > number;
    case '<':
      return actual < number;
  }
}

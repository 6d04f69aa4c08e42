/** The first characters that make a spreadsheet treat a cell as a formula. */
const formula = /^[=+\-@\t\r]/;

/** Formats rows as CSV (RFC 4180). Cells that look like formulas are prefixed with an apostrophe. */
export function csvOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${[header, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

function cellOf(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

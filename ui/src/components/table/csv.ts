/** A beginning that a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/;

/** Rows as CSV (RFC 4180). A cell that a spreadsheet would run begins with an apostrophe. */
export function csvOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${[header, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

function cellOf(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

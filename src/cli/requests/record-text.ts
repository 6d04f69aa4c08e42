import { safe } from '../terminal/text.js';

/** Formats a record for a person: a line for each member with a value, escaped. */
export function recordText(rows: readonly (readonly [name: string, text: string | undefined])[]): string {
  const known = rows.filter(([, text]) => text !== undefined && text !== '');
  const width = Math.max(10, ...known.map(([name]) => name.length));
  return known.map(([name, text]) => `${name.padEnd(width)} ${safe(text ?? '')}`).join('\n');
}

/**
 * Times as SQLite stores them: a time of a row is a whole number of milliseconds since 1970, which takes a quarter of
 * its text. A text that is not the exact form of such a number stays text, so that every value is read back unchanged.
 * Numbers have the order of their texts and sort before any text, as times sort before the rank of an undecided
 * message.
 */

/** The form of the times that a member may write (`Time` of `wire/scalar.ts`). Not all such texts are times. */
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The milliseconds of a time; any other text unchanged. */
export function keptTime(text: string): number | string {
  if (!timeForm.test(text)) return text;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && timeOf(ms) === text ? ms : text;
}

/** The text of a time. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** SQL for the text of a column. A number that was bound, rather than passed as JSON, is a real there. */
export function timeTextSql(column: string): string {
  const text = `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;
  return `iif(typeof(${column}) = 'text', ${column}, ${text})`;
}

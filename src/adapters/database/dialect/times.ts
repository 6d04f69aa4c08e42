/**
 * Times as SQLite keeps them: a time of a row is a whole number of milliseconds since 1970, a quarter of its text. A
 * text that is not exactly how such a number is written stays text, so that every value comes back as it was. Numbers
 * have the order of their texts, and come before any text, as times come before the rank of an undecided message.
 */

/** The form of the times that a member may write (`Time` of `wire/scalar.ts`). Not all such texts are times. */
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The milliseconds of a time; any other text as it is. */
export function keptTime(text: string): number | string {
  if (!timeForm.test(text)) return text;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && timeOf(ms) === text ? ms : text;
}

/** The text of a time. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** SQL for the text of a column. A number that was bound, not brought as JSON, is a real one there. */
export function timeTextSql(column: string): string {
  const text = `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;
  return `iif(typeof(${column}) = 'text', ${column}, ${text})`;
}

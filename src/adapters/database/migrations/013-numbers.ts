import { columnsOf, indexesOf, keptStatistics, rebuilt } from '../rebuild.js';
import { afterBytes } from './012-bytes.js';

/** The columns that hold times as numbers from now on, by table. */
const times: Readonly<Record<string, readonly string[]>> = {
  messages: ['created', 'confirmed', 'rejected', 'rank'],
  data: ['created'],
  pins: ['created'],
  events: ['created'],
};

/** The columns whose long texts are compressed from now on. What they hold stays as it is. */
const long: Readonly<Record<string, readonly string[]>> = { operations: ['raw'], blockchainevents: ['output'] };

/** A time as milliseconds. Any other text stays text, and so does one that looks like a time and is none. */
function millisecondsSql(column: string): string {
  const form = '####-##-##T##:##:##.###Z'.replaceAll('#', '[0-9]');
  const ms = `(cast(strftime('%s', ${column}) as integer) * 1000 + substr(${column}, 21, 3))`;
  const again = `strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`;
  return `iif(${column} glob '${form}' and ${again} = ${column}, ${ms}, ${column})`;
}

const conversions = [
  { columns: times, value: millisecondsSql },
  { columns: long, value: (column: string) => column },
];

/**
 * The times of tables with a row for each message are numbers, in their rows and in the indexes of nearly every list,
 * and what grows with each message of a batch is compressed: a tenth of what a message needs on disk. PostgreSQL keeps
 * them as texts.
 */
export const numbers = {
  number: 13,
  name: 'numbers',
  onSqlite: keptStatistics(
    [...Object.keys(times), ...Object.keys(long)].flatMap((table) =>
      rebuilt(table, columnsOf(table, afterBytes, conversions), indexesOf(table, afterBytes)),
    ),
  ),
  statements: [],
} as const;

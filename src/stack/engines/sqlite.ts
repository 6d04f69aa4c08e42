import type driver from 'sqlite3';
import { StackError } from '../error.js';

export type Sqlite = typeof driver;

/** The remedy if the driver, which is native code, does not load. */
export const driverRemedy = 'Install again with install scripts allowed: npm rebuild sqlite3';

/**
 * Loads the driver of SQLite on use, so that stacks can be listed, stopped and removed without it.
 *
 * @throws StackError PREREQUISITE if it is missing, or not made for this machine
 */
export async function loadSqlite(): Promise<Sqlite> {
  try {
    return (await import('sqlite3')).default;
  } catch (cause) {
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    throw new StackError('PREREQUISITE', `The driver of SQLite does not load: ${reason}`, {
      hint: driverRemedy,
      cause,
    });
  }
}

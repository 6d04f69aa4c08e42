import type driver from 'sqlite3';
import { StackError } from '../error.js';

export type Sqlite = typeof driver;

/** Remedy for a driver, which is compiled for its machine, that does not load. */
export const driverRemedy = 'Install again with install scripts allowed: npm rebuild sqlite3';

/**
 * Loads the driver of SQLite where it is used: without it, stacks can still be listed, stopped and removed.
 *
 * @throws StackError PREREQUISITE if it is missing, or not made for this machine
 */
export async function loadSqlite(): Promise<Sqlite> {
  try {
    return (await import('sqlite3')).default;
  } catch (cause) {
    const [said] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    throw new StackError('PREREQUISITE', `The database does not open: ${said}`, { hint: driverRemedy, cause });
  }
}

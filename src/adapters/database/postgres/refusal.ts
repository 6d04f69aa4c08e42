import type { DatabaseError } from 'pg';
import { ConflictError } from '../../../ports/database.js';
import { codeOf, isConnectionLost } from '../../../postgres/problem.js';
import { DamagedDatabase, ForeignDatabase, LostConnection } from '../../../wire/errors/disk.js';
import { tableNames, tables } from '../tables/tables.js';

const uniqueViolation = '23505';
const notNullViolation = '23502';
/** Codes for a table or schema that does not exist. */
const absentCodes = new Set(['42P01', '3F000']);
const damageCodes = new Set(['XX001', 'XX002']);
/**
 * Codes of a server that has become read-only, as managed ones do when they are full, or of a user who has lost a
 * right.
 */
const withdrawnCodes = new Set(['25006', '42501']);

export const writtenByOther = 'another process has written to the schema';

/**
 * Converts an error of the driver: a conflict at a unique key, a lost connection, a change by others, damage, or a
 * plain error. The server's detail contains users' values, so none of it is kept.
 */
export function refusal(cause: unknown): Error {
  if (isConnectionLost(cause)) return new LostConnection(textOfError(cause));
  if (withdrawnCodes.has(codeOf(cause) ?? ''))
    return new LostConnection(`the server refuses: ${textOfError(cause)}`, true);
  if (!isOfServer(cause)) return cause instanceof Error ? cause : new Error(textOfError(cause));
  const { code = '', table: name, detail = '', message } = cause;
  const table = tableNames.find((each) => each === name);
  if (code === uniqueViolation && table !== undefined) {
    // The server's text may be in any language: `Key (namespace, "idempotencyKey")=(…) already exists.`
    const names = /\((.*?)\)=\(/.exec(detail)?.[1]?.split(', ') ?? [];
    const columns = names.map((each) => each.replaceAll('"', ''));
    const isSame = (key: readonly string[]) =>
      key.length === columns.length && key.every((each) => columns.includes(each));
    return new ConflictError(table, tables[table].uniqueKeys.find(isSame) ?? columns);
  }
  // The number of the last commit is not the one that this process wrote (`createPostgresPack`).
  if (code === notNullViolation && name === 'node') return new ForeignDatabase(writtenByOther);
  if (absentCodes.has(code)) return new ForeignDatabase('its tables are gone');
  if (damageCodes.has(code)) return new DamagedDatabase(`PostgreSQL reports ${message}`);
  return Object.assign(new Error(`The database refused: ${code}: ${message}`), { code });
}

function textOfError(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Only an error of the server has a severity. The driver's class is not loaded on SQLite. */
function isOfServer(cause: unknown): cause is DatabaseError {
  return cause instanceof Error && 'severity' in cause;
}

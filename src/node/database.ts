import { readFile } from 'node:fs/promises';
import { createKnexDatabase } from '../adapters/database/knex.js';
import { createPostgresDatabase } from '../adapters/database/postgres.js';
import type { Database } from '../ports/database.js';
import type { Failpoint } from '../ports/failpoint.js';
import type { Log } from '../ports/log.js';
import type { Metrics } from '../ports/metrics.js';
import { parsePostgresAddress } from '../postgres/address.js';
import type { NodeConfig } from './config.js';

interface DatabaseParts {
  /** The path of the database that is a file. */
  readonly file: string;
  readonly log: Log;
  readonly failpoint: Failpoint;
  readonly metrics: Metrics;
  readonly onFatal: (error: Error) => void;
  /** Called repeatedly while it is migrated to a newer form. */
  readonly tellProgress?: ((text: string) => void) | undefined;
}

/** The database of a node, and facts about it besides its rows. */
export interface NodeDatabase extends Database {
  /** Whether another process may have changed its rows since this program closed it last. */
  readonly mayBeEdited: boolean;
  /** The reason why it cannot be reached or written now; undefined while it works. */
  problem(): string | undefined;
}

/** Opens the database that a configuration names. @throws Error with one sentence */
export async function openDatabase(
  { postgres: place, databaseForm: mayReach }: Pick<NodeConfig, 'databaseForm' | 'postgres'>,
  { file, onFatal, ...parts }: DatabaseParts,
): Promise<NodeDatabase> {
  if (place === undefined) {
    return createKnexDatabase({ ...parts, file, mayReach, onDamage: onFatal });
  }
  const { urlFile, schema, owner } = place;
  const readAddress = async () => parsePostgresAddress(await readFile(urlFile, 'utf8'));
  const database = await createPostgresDatabase({ ...parts, readAddress, schema, owner, mayReach, onFatal });
  // Others could have changed its rows while the node was stopped.
  return { ...database, mayBeEdited: true };
}

/** A sentence for people while the database cannot be reached or written. */
export function problemOf(database: NodeDatabase): string | undefined {
  const problem = database.problem();
  return problem === undefined ? undefined : `The database does not answer: ${problem}.`;
}

/** The stored data is damaged; the process ends, since it can no longer be relied on. */
export class DamagedDatabase extends Error {
  constructor(
    /** The damage, as a phrase. */
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    super(`${databaseName} is damaged: ${problem}. ${damageRemedy}`, options);
    this.name = 'DamagedDatabase';
  }
}

export const databaseName = 'The database of this node';

/** The advice to a user with a damaged database. */
export const damageRemedy = 'Put a sound copy of its data directory in its place, or start over with stack reset.';

/** The connection to the database broke, or there is none: uncommitted changes are undone. */
export class LostConnection extends Error {
  constructor(
    reason: string,
    /** Whether the server itself has reported that it did nothing. */
    readonly isUndone = false,
  ) {
    super(`The database does not answer: ${reason}`);
    this.name = 'LostConnection';
  }
}

/** Another program holds the lock of the database, so nothing can be written now. */
export class LockedDatabase extends Error {
  readonly code = 'SQLITE_BUSY';

  constructor(options?: ErrorOptions) {
    super(`${databaseName} is locked by another program`, options);
    this.name = 'LockedDatabase';
  }
}

/** Another process has changed or removed the database; this process ends, since its knowledge may be wrong. */
export class ForeignDatabase extends Error {
  constructor(
    /** The change, as a phrase. */
    readonly problem: string,
  ) {
    super(`${databaseName} is not as it was left: ${problem}. Stop whatever else uses its schema.`);
    this.name = 'ForeignDatabase';
  }
}

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100']);

/** Whether an error was caused by a full disk, for files and for databases in files. */
export function isDiskFull(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && fullCodes.has(String(error.code))) return true;
  }
  return false;
}

/** What is stored cannot be read any more: the process ends, since nothing that it says could be relied on. */
export class DamagedDatabase extends Error {
  constructor(
    /** What was found, in words. */
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    super(`${databaseName} is damaged: ${problem}. ${damageRemedy}`, options);
    this.name = 'DamagedDatabase';
  }
}

export const databaseName = 'The database of this node';

/** What a person can do about a damaged database. */
export const damageRemedy = 'Put a sound copy of its data directory in its place, or begin anew with stack reset.';

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

/** Whether something failed because the disk has no room: a file, or a database that lies in files. */
export function isDiskFull(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && fullCodes.has(String(error.code))) return true;
  }
  return false;
}

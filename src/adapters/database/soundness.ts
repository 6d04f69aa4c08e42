import { access, stat, unlink, writeFile } from 'node:fs/promises';
import type { Log } from '../../ports/log.js';
import { DamagedDatabase } from '../../wire/errors/disk.js';
import type { Connection } from './connection.js';
import type { Aside, Sqlite } from './sqlite.js';
import { plain } from './statements/statement.js';

/** Checks whether the pages of a database are sound. */
export interface Soundness {
  /**
   * Checks the database: before use if that is quick or an earlier run found damage, otherwise in the background.
   *
   * @throws DamagedDatabase
   */
  check(sqlite: Pick<Sqlite, 'writer' | 'openAside'>): Promise<void>;
  /** Reports damage that a statement has found. */
  report(this: void, error: DamagedDatabase): void;
  /** Stops the check in the background. */
  stop(): Promise<void>;
}

export interface SoundnessParts {
  readonly file: string;
  readonly log: Log;
  /** Called once, if damage is found after the database was opened. */
  readonly onDamage: (error: DamagedDatabase) => void;
}

const mebibyte = 1_048_576;
/** A `quick_check` takes 3.4 s a gigabyte (measured), so 0.2 s at most before the start. */
const maxForegroundBytes = 64 * mebibyte;
/** About a minute of one thread in the background. */
const maxBackgroundBytes = 16 * 1_024 * mebibyte;
const maxProblemCharacters = 200;

/**
 * Checks for damaged pages. Damage leaves a mark beside the database, so that the next start checks everything before
 * it serves, indexes included, however long that takes. Replacing the files with sound ones removes the mark.
 */
export function createSoundness({ file, log, onDamage }: SoundnessParts): Soundness {
  const mark = `${file}-damaged`;
  let isOpen = false;
  let isReported = false;
  let aside: Aside | undefined;
  let background: Promise<void> = Promise.resolve();

  function report(error: DamagedDatabase): void {
    if (!isOpen || isReported) return;
    isReported = true;
    // Without the mark the next start checks less, and finds the damage again.
    void writeFile(mark, `${error.message}\n`)
      .catch(() => undefined)
      .then(() => onDamage(error));
  }

  async function lookAside(open: Sqlite['openAside']): Promise<void> {
    aside = await open();
    try {
      await look(aside.connection, 'quick_check');
    } catch (error) {
      if (error instanceof DamagedDatabase) report(error);
      else log.debug('The check of the database was not completed', { error });
    }
  }

  return {
    async check({ writer, openAside }) {
      const { size: sizeBytes } = await stat(file);
      const isMarked = await exists(mark);
      if (isMarked) await look(writer, 'integrity_check');
      else if (sizeBytes <= maxForegroundBytes) await look(writer, 'quick_check');
      if (isMarked) await unlink(mark);
      isOpen = true;
      if (isMarked || sizeBytes <= maxForegroundBytes) return;
      if (sizeBytes <= maxBackgroundBytes) background = lookAside(openAside);
      else log.info('The database is too large to be checked', { sizeBytes, maxBytes: maxBackgroundBytes });
    },
    report,
    async stop() {
      isOpen = false;
      aside?.interrupt();
      await background;
    },
  };
}

/** @throws DamagedDatabase with the first problem */
async function look(connection: Connection, pragma: 'quick_check' | 'integrity_check'): Promise<void> {
  const [row] = await connection.rows(plain(`pragma ${pragma}(1)`));
  const answer = row?.[pragma];
  const found = typeof answer === 'string' ? answer : 'nothing';
  if (found === 'ok') return;
  throw new DamagedDatabase(found.replaceAll(/\s+/g, ' ').replaceAll('*', '').trim().slice(0, maxProblemCharacters));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

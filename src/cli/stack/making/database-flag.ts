import { resolve } from 'node:path';
import type { Setting } from '../../../stack/definition/render.js';
import { CliError } from '../../errors/exit.js';

/**
 * The settings for `--db`, or for a flag that takes the same; the path in it is seen from where the command is typed.
 *
 * @throws CliError USAGE
 */
export function databaseSettings(word: string, workingDirectory: string, flag = '--db'): Setting[] {
  if (word === 'sqlite3') return [{ path: ['database', 'provider'], value: 'sqlite3' }];
  const [, path] = /^postgres=file:(.+)$/.exec(word) ?? [];
  if (path !== undefined) {
    return [
      { path: ['database', 'provider'], value: 'postgres' },
      { path: ['database', 'url'], value: `file:${resolve(workingDirectory, path)}` },
    ];
  }
  // The value is not repeated: it may have a password in it.
  throw new CliError('USAGE', `${flag} takes sqlite3, or postgres=file:PATH where the file has the address.`, {
    hint: "(umask 077; echo 'postgres://USER:PASSWORD@HOST:5432/DATABASE' > database.url)",
  });
}

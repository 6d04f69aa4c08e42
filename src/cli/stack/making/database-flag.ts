import { resolve } from 'node:path';
import type { Setting } from '../../../stack/definition/render.js';
import { CliError } from '../../errors/exit.js';

/**
 * The settings for `--db`, or for another flag with the same values. Paths are relative to the working directory.
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
  // The value is not repeated, since it may contain a password.
  throw new CliError('USAGE', `${flag} must be sqlite3, or postgres=file:PATH with a file that contains the URL.`, {
    hint: "(umask 077; echo 'postgres://USER:PASSWORD@HOST:5432/DATABASE' > database.url)",
  });
}

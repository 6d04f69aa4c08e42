import { readFileSync, statSync } from 'node:fs';
import type { Static, TSchema } from '@sinclair/typebox';
import type { Log } from '../ports/log.js';
import { assertConforms } from '../wire/check.js';
import { read } from '../wire/json/json-reader.js';

export interface WatchedFileOptions<Schema extends TSchema> {
  readonly file: string;
  readonly schema: Schema;
  /** The name of its contents in the log. */
  readonly contents: string;
  readonly log: Log;
}

/**
 * Returns a reader of a file that other programs replace while the node runs. A query costs one look-up in the
 * directory, and the file is read only after a change, so a change needs no notification. The result is undefined for a
 * missing file and for an unreadable one: files are replaced atomically, so Parley did not write that one.
 */
export function watchFile<Schema extends TSchema>({ file, schema, contents, log }: WatchedFileOptions<Schema>) {
  let stamp = '';
  let known: Static<Schema> | undefined;
  return (): Static<Schema> | undefined => {
    const found = stampOf(file);
    if (found !== stamp) known = found === '' ? undefined : readNow();
    stamp = found;
    return known;
  };

  function readNow(): Static<Schema> | undefined {
    try {
      const { value } = read(readFileSync(file, 'utf8'), schema);
      assertConforms(schema, value, contents);
      return value;
    } catch (error) {
      log.warn('A file of the stack cannot be read and is ignored', { file, contents, error: String(error) });
      return undefined;
    }
  }
}

function stampOf(file: string): string {
  const entry = statSync(file, { bigint: true, throwIfNoEntry: false });
  return entry === undefined ? '' : `${entry.ino} ${entry.mtimeNs} ${entry.size}`;
}

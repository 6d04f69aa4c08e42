import { beginningOf } from './marked-text.js';

const maxNameCharacters = 120;
/** A file extension; a longer one does not count as one. */
const extension = /\.[\p{L}\p{N}]{1,15}$/u;

/** Reduces a file name to letters, digits and a few punctuation marks. A long name is cut before its extension. */
export function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const cleaned = last
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N} ._()+-]/gu, '_')
    .replace(/^[. ]+/, '');
  const [end = ''] = extension.exec(cleaned) ?? [];
  const stem = beginningOf(cleaned.slice(0, cleaned.length - end.length), maxNameCharacters - end.length);
  return stem + end === '' ? 'file' : stem + end;
}

import { beginningOf } from './marked-text.js';

const maxNameCharacters = 120;
/** The end of a name by which systems choose a program; a longer one is none. */
const extension = /\.[\p{L}\p{N}]{1,15}$/u;

/** A file name of letters, digits and a few signs. One that is too long keeps its extension. */
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

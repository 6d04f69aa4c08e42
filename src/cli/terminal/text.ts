import { widthOf } from './width.js';

/**
 * Escapes text from the network or a log: control characters (C0, DEL, C1), bidirectional controls and line separators
 * become `\u{…}`, on a terminal or not (docs/operations.md §11.2).
 */
export function safe(text: string): string {
  return text.replaceAll(unsafeCharacters, (character) => `\\u{${codeOf(character)}}`);
}

/** `safe` for a text of several lines: keeps line breaks and tabs. */
export function safeLines(text: string): string {
  return text.replaceAll(unsafeInLines, (character) => `\\u{${codeOf(character)}}`);
}

/** `safe` for a JSON text: uses the escapes of JSON, so that the value is unchanged. */
export function safeJson(text: string): string {
  return text.replaceAll(unsafeInJson, (character) => `\\u${codeOf(character).padStart(4, '0')}`);
}

const unsafeCharacters = /[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;
const unsafeInLines = new RegExp(`(?![\\n\\t])${unsafeCharacters.source}`, 'gu');
/** All but the whitespace of JSON, which is never unescaped within a string. */
const unsafeInJson =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g;

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}

/** Joins words to lines of a maximum width in terminal cells. A longer word gets its own line. */
export function linesOf(words: readonly string[], maxWidth: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && widthOf(line) + 1 + widthOf(word) <= maxWidth)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** `did:parley:org/alice` → `alice`; other texts stay unchanged. */
export function shortAuthor(did: string): string {
  return /^did:\w+:(?:org\/|node\/)?(.+)$/.exec(did)?.[1] ?? did;
}

/** The age of an ISO time at `nowMs`, such as `3m`; `?` for a time that does not exist, as another party may write. */
export function age(time: string, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(time)) / 1_000));
  if (Number.isNaN(seconds)) return '?';
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** `38 ms`, `1.9 s`, `4 min 10 s`. */
export function spanOf(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  // Rounded before the unit is chosen, to avoid `60.0 s`.
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  if (Math.round(ms / 100) < 600) return `${(ms / 1_000).toFixed(1)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** `1.2 MB`. */
export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const number = bytes / 1_000 ** power;
  return `${power === 0 || number >= 100 ? Math.round(number) : number.toFixed(1)} ${units[power] ?? 'B'}`;
}

/** `1 party`, `3 parties`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

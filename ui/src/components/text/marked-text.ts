/** A piece of a text: as it is, or one character that would not be seen, or would move others. */
export type Piece = { readonly text: string } | { readonly mark: string; readonly name: string };

/**
 * Control, zero-width and bidirectional characters, and halves of pairs that stand alone. Unicode names most of them
 * ignorable: a display may leave them out, also those beyond the first plane, in which whole sentences can be hidden.
 */
const marked = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u200e\u200f\u2028-\u202e\ufff9-\ufffb]/gu;
const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u0000': '\\0' };

/** The beginning of a text, at most so many UTF-16 units of it; no pair is cut into halves. */
export function beginningOf(text: string, maxCharacters: number): string {
  return text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');
}

/** Splits a text so that every character of it can be seen. With `isMultiline`, line breaks and tabs stay. */
export function piecesOf(text: string, isMultiline = false): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(marked)) {
    if (isMultiline && (character === '\n' || character === '\t')) continue;
    if (index > from) pieces.push({ text: text.slice(from, index) });
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    pieces.push({ mark: short[character] ?? code, name: `U+${code}` });
    from = index + character.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

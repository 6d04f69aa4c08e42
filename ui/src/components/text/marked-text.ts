/** A piece of a text: plain text, or one invisible or direction-changing character, shown as a mark. */
export type Piece = { readonly text: string } | { readonly mark: string; readonly name: string };

/**
 * Control, zero-width and bidirectional characters, and lone surrogates. It includes all characters that Unicode calls
 * default ignorable, such as the tag characters, in which whole sentences can be hidden.
 */
const marked = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u200e\u200f\u2028-\u202e\ufff9-\ufffb]/gu;
const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u0000': '\\0' };

/** The beginning of a text, up to a number of UTF-16 units, without splitting a surrogate pair. */
export function beginningOf(text: string, maxCharacters: number): string {
  return text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');
}

/** Splits a text so that every character is visible. With `isMultiline`, line breaks and tabs stay plain text. */
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

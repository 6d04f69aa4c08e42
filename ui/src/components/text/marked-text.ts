/** A piece of a text: as it is, or one character that would not be seen, or would move others. */
export type Piece = { readonly text: string } | { readonly mark: string; readonly name: string };

/** Control, zero-width and bidirectional characters, and halves of pairs that stand alone. */
const marked = new RegExp(
  [
    String.raw`[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f]`,
    String.raw`[\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\ufff9-\ufffb]`,
    String.raw`[\ud800-\udbff](?![\udc00-\udfff])`,
    String.raw`(?<![\ud800-\udbff])[\udc00-\udfff]`,
  ].join('|'),
  'g',
);
const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u0000': '\\0' };

/** Splits a text so that every character of it can be seen. With `isMultiline`, line breaks and tabs stay. */
export function piecesOf(text: string, isMultiline = false): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(marked)) {
    if (isMultiline && (character === '\n' || character === '\t')) continue;
    if (index > from) pieces.push({ text: text.slice(from, index) });
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    pieces.push({ mark: short[character] ?? code, name: `U+${code}` });
    from = index + character.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

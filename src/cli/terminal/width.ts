/** Text whose characters have one cell each: ASCII, Western European letters, and symbols of our output. */
const isNarrow = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff\u2010-\u2027\u2190-\u2193\u2500-\u257f\u2713\u2717]*$/;
/** Characters with two cells: East Asian wide and full-width characters, and emoji. */
const wide = new RegExp(
  [
    String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]`,
    String.raw`[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6\ufe0f]`,
  ].join('|'),
  'u',
);
/** Graphemes without a visible character, which have no cell. */
const invisible = /^[\p{M}\p{Cf}]+$/u;

export function widthOf(text: string): number {
  if (isNarrow.test(text)) return text.length;
  let width = 0;
  for (const segment of graphemesOf(text)) width += cellsOf(segment);
  return width;
}

/** Cuts a text to a number of terminal cells, ending with `…` if it is cut. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let room = Math.max(0, width - 1);
  if (isNarrow.test(text)) return `${text.slice(0, room)}…`;
  let kept = '';
  for (const segment of graphemesOf(text)) {
    room -= cellsOf(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Creates the segmenter on demand, since the first one takes a tenth of a command's processor time. */
function graphemesOf(text: string): string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);
}

function cellsOf(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return invisible.test(grapheme) ? 0 : 1;
}

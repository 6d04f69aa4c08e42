/**
 * Indents a JSON text for people, token by token: only whitespace outside strings changes, so numbers, escapes and the
 * order of keys stay as served. The text must be valid JSON.
 */
export function indentJson(text: string): string {
  let indented = '';
  let depth = 0;
  for (const token of tokensOf(text)) {
    const last = indented.at(-1);
    if (token === '}' || token === ']') {
      depth--;
      indented += (last === '{' || last === '[' ? '' : newLine(depth)) + token;
    } else {
      if (last === '{' || last === '[' || last === ',') indented += newLine(depth);
      indented += token === ':' ? ': ' : token;
      if (token === '{' || token === '[') depth++;
    }
  }
  return indented;
}

/** Splits a JSON text into strings, punctuation, numbers and literals, without whitespace. */
export function tokensOf(text: string): string[] {
  return [...text.matchAll(tokenPattern)].map(([token]) => token);
}

const tokenPattern = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

function newLine(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}

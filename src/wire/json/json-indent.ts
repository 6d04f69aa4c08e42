/**
 * Indents a JSON text for people, token by token: only whitespace outside strings changes, so numbers, escapes and the
 * order of keys stay as served. The text must be valid JSON.
 */
export function indentJson(text: string): string {
  // Joined once at the end: to look at a string that is still being put together copies all of it.
  const parts: string[] = [];
  let last = '';
  let depth = 0;
  for (const token of tokensOf(text)) {
    if (token === '}' || token === ']') {
      depth--;
      if (last !== '{' && last !== '[') parts.push(newLine(depth));
    } else if (last === '{' || last === '[' || last === ',') parts.push(newLine(depth));
    parts.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth++;
    last = token;
  }
  return parts.join('');
}

/** Splits a JSON text into strings, punctuation, numbers and literals, without whitespace. */
export function tokensOf(text: string): string[] {
  return [...text.matchAll(tokenPattern)].map(([token]) => token);
}

const tokenPattern = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

function newLine(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}

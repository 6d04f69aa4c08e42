/**
 * A JSON text spread over lines for a person, token by token: only whitespace outside strings changes, so numbers,
 * escapes and the order of keys stay as served. The text must be valid JSON.
 */
export function indentJson(text: string): string {
  let indented = '';
  let depth = 0;
  for (const [token] of text.matchAll(tokenPattern)) {
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

/** A string, a mark, or a number or word. */
const tokenPattern = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

function newLine(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}

/** The text of an object with one more member at its end; the rest stays byte for byte. */
export function withMember(object: string, name: string, member: string): string {
  const end = object.lastIndexOf('}');
  const members = object.slice(object.indexOf('{') + 1, end).trim();
  return `{${members}${members === '' ? '' : ','}"${name}":${member}}`;
}

/**
 * Returns the members of a JSON object by name, each as source text. The last of repeated names counts.
 *
 * @throws Error if the text is not an object
 */
export function rawMembersOf(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = skipSpace(text, 0);
  if (text[at] !== '{') throw new Error(`expected a JSON object, found "${text.slice(at, at + 20)}"`);
  at = skipSpace(text, at + 1);
  while (text[at] !== '}') {
    const nameEnd = endOfValue(text, at);
    const name: unknown = JSON.parse(text.slice(at, nameEnd));
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    members.set(String(name), text.slice(valueStart, valueEnd));
    at = skipSpace(text, valueEnd);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

/**
 * Returns the items of a JSON array, each as source text.
 *
 * @throws Error if the text is not an array
 */
export function itemsOf(text: string): string[] {
  const items: string[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== '[') throw new Error(`expected a JSON array, found "${text.slice(at, at + 20)}"`);
  at = skipSpace(text, at + 1);
  while (text[at] !== ']') {
    const end = endOfValue(text, at);
    items.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return items;
}

/** Decodes a string member; undefined if it is absent or null. Other values are returned as source text. */
export function textMember(members: ReadonlyMap<string, string>, name: string): string | undefined {
  const raw = members.get(name);
  if (raw === undefined || raw === 'null') return undefined;
  const value: unknown = JSON.parse(raw);
  return typeof value === 'string' ? value : raw;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at++;
  if (at >= text.length) throw new Error('the JSON text is incomplete');
  return at;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  throw new Error('a JSON string is not terminated');
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') {
    let at = start;
    while (at < text.length && !',]} \t\r\n'.includes(text[at] ?? '')) at++;
    return at;
  }
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  throw new Error('a JSON value is not terminated');
}

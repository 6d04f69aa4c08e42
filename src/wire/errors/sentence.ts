/** Fills in the `{field}`s of a sentence; `{{` and `}}` stand for braces. Inserted values are put on one line. */
export function fillSentence(template: string, fields: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{\{|\}\}|\{(\w+)\}/g, (match, field: string | undefined) =>
    field === undefined ? match.slice(1) : oneLine(String(fields[field] ?? '')),
  );
}

const maxFieldCharacters = 200;

/** Shortens foreign text for a message to a number of UTF-16 units, without cutting a surrogate pair. */
export function shortened(text: string, maxCharacters = maxFieldCharacters): string {
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * Prepares a caller's text for an error: shortens it and escapes characters that would break the line or affect a
 * terminal.
 */
function oneLine(text: string): string {
  return shortened(text).replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

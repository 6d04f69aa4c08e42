/**
 * A sentence with its `{field}`s filled in; `{{` and `}}` stand for the braces themselves. What fills them is on one
 * line, whatever it was.
 */
export function fillSentence(template: string, fields: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{\{|\}\}|\{(\w+)\}/g, (match, field: string | undefined) =>
    field === undefined ? match.slice(1) : oneLine(String(fields[field] ?? '')),
  );
}

const maxFieldCharacters = 200;

/** A text of somebody else within a message: at most so many characters of it, and no half of one. */
export function shortened(text: string, maxCharacters = maxFieldCharacters): string {
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A caller's text is quoted in errors: it is cut, and what would break the line or a terminal is escaped. */
function oneLine(text: string): string {
  return shortened(text).replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

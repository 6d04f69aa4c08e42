/**
 * Text as PostgreSQL can store it, which does not accept U+0000. That character and the three after it are stored as
 * U+0001 and two characters U+0002 or U+0003. So every text has exactly one form, forms have the order of their texts,
 * and a form contains another exactly if the text contains the other text: conditions mean the same on stored text.
 */
const forms = ['\u0001\u0002\u0002', '\u0001\u0002\u0003', '\u0001\u0003\u0002', '\u0001\u0003\u0003'];

const special = /[\u0000-\u0003]/;

const specials = /[\u0000-\u0003]/g;

const written = /\u0001[\u0002\u0003]{2}/g;

/** The form in which a text is stored. */
export function storedText(text: string): string {
  return special.test(text) ? text.replaceAll(specials, (character) => forms[character.charCodeAt(0)] ?? '') : text;
}

/** The text of a stored form. */
export function readText(stored: string): string {
  if (!stored.includes('\u0001')) return stored;
  return stored.replaceAll(written, (form) => String.fromCharCode(forms.indexOf(form)));
}

/**
 * JSON with characters that PostgreSQL cannot have in text, or with half of a surrogate pair; `\\.` skips other
 * escapes.
 */
const oddJson = /\\(?:u000[0-3]|ud[89a-f])/;
const jsonEscapes = /\\(?:u(000[0-3]|d[89a-f][0-9a-f]{2})|.)/g;
const storedEscapes = /\\u0001(?:((?:\\u000[23]){2})|\\u0004u(d[89a-f][0-9a-f]{2}))|\\./g;

/**
 * The form in which JSON is stored: its strings have the forms of `storedText`, so that the engine's own JSON functions
 * take it. Half of a surrogate pair becomes U+0001, U+0004 and its number.
 */
export function storedJson(json: string): string {
  if (!oddJson.test(json)) return json;
  return json.replaceAll(jsonEscapes, (escape, unit: string | undefined) => {
    if (unit === undefined) return escape;
    if (unit.startsWith('d')) return `\\u0001\\u0004u${unit}`;
    return escaped(forms[Number(unit)] ?? '');
  });
}

function escaped(form: string): string {
  return [...form].map((each) => `\\u000${each.charCodeAt(0)}`).join('');
}

/** The JSON of a stored form. */
export function readJson(stored: string): string {
  if (!stored.includes('\\u0001')) return stored;
  return stored.replaceAll(storedEscapes, (escape, form: string | undefined, half: string | undefined) => {
    if (half !== undefined) return `\\u${half}`;
    if (form === undefined) return escape;
    const digits = [...form.matchAll(/\\u000([23])/g)].map(([, digit]) => String.fromCharCode(Number(digit)));
    return `\\u000${forms.indexOf(`\u0001${digits.join('')}`)}`;
  });
}

/**
 * SQL for the JSON of a stored form. Halves of pairs are replaced first, and forms in this order, so that the output of
 * one step is never mistaken for the input of the next. An escape follows an even number of backslashes.
 */
export function jsonSql(column: string): string {
  const halves = `regexp_replace(${column}, ${literal(String.raw`(^|[^\\])((\\\\)*)\\u0001\\u0004`)}, `;
  const whole = `${halves}${literal(String.raw`\1\2\\`)}, 'g')`;
  const json = forms.reduce(
    (sql, form, unit) => `replace(${sql}, ${literal(escaped(form))}, ${literal(`\\u000${unit}`)})`,
    whole,
  );
  return `case when strpos(${column}, ${literal('\\u0001')}) = 0 then ${column} else ${json} end`;
}

/** A text from this program as a literal, whatever the server's settings for backslashes. */
function literal(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\')}'`;
}

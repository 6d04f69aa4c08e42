/**
 * Ids as SQLite stores them: a UUID, a hash or a key takes half as much space in bytes as in text. 16 bytes are a UUID,
 * 20 a key and 32 a hash; any other text stays text, so that every value is read back unchanged. Ids of one form have
 * the order of their texts.
 *
 * JSON has no bytes, so an id in JSON is packed: as hexadecimal digits, or as text after a dot. SQLite writes that text
 * as the digits of its bytes, since its text functions stop at a zero byte.
 */

interface Form {
  readonly sizeBytes: number;
  readonly pattern: RegExp;
  /** The digits of a text of this form, or of the beginning of one. */
  readonly digitsOf: (text: string) => string;
  /** Any text of this form, used to complete the beginning of one. */
  readonly example: string;
}

const uuid: Form = {
  sizeBytes: 16,
  pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  digitsOf: (text) => text.replaceAll('-', ''),
  example: '00000000-0000-0000-0000-000000000000',
};
const key: Form = {
  sizeBytes: 20,
  pattern: /^0x[0-9a-f]{40}$/,
  digitsOf: (text) => text.slice(2),
  example: `0x${'0'.repeat(40)}`,
};
const hash: Form = {
  sizeBytes: 32,
  pattern: /^[0-9a-f]{64}$/,
  digitsOf: (text) => text,
  example: '0'.repeat(64),
};
const forms = [uuid, key, hash];
const formsByLength: ReadonlyMap<number, Form> = new Map(forms.map((form) => [form.example.length, form]));

/** The bytes of an id as hexadecimal digits; undefined for any other text. */
export function digitsOf(text: string): string | undefined {
  const form = formsByLength.get(text.length);
  return form?.pattern.test(text) === true ? form.digitsOf(text) : undefined;
}

/** The id with these bytes, given as hexadecimal digits of either case. */
export function idOf(digits: string): string {
  const hex = digits.toLowerCase();
  if (hex.length === 2 * key.sizeBytes) return `0x${hex}`;
  if (hex.length !== 2 * uuid.sizeBytes) return hex;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The packed form in which an id is passed to SQLite. */
export function packedId(text: string): string {
  return digitsOf(text) ?? `.${Buffer.from(text).toString('hex')}`;
}

/** The id in the packed form that SQLite returns. */
export function unpackedId(packed: string): string {
  return packed.startsWith('.') ? packed.slice(1) : idOf(packed);
}

/** SQL for the packed form of a column. */
export function packedSql(column: string): string {
  return `iif(typeof(${column}) = 'blob', hex(${column}), '.' || ${column})`;
}

/** SQL for the stored form of a packed id. A dot is no digit. */
export function storedSql(packed: string): string {
  return `ifnull(unhex(${packed}), cast(unhex(substr(${packed}, 2)) as text))`;
}

/** SQL for the text of a column. */
export function textSql(column: string): string {
  const groups = ['1, 4', '5, 2', '7, 2', '9, 2', '11, 6'].map((place) => `hex(substr(${column}, ${place}))`);
  return (
    `case when typeof(${column}) <> 'blob' then ${column} ` +
    `when length(${column}) = ${uuid.sizeBytes} then lower(${groups.join(" || '-' || ")}) ` +
    `else iif(length(${column}) = ${key.sizeBytes}, '0x', '') || lower(hex(${column})) end`
  );
}

/** The first and the last id of each form whose texts begin with a prefix, and the number of their bytes. */
export function rangesOf(prefix: string): readonly { sizeBytes: number; from: Buffer; to: Buffer }[] {
  return forms.flatMap(({ sizeBytes, pattern, digitsOf: digits, example }) => {
    if (!pattern.test(prefix + example.slice(prefix.length))) return [];
    const start = digits(prefix);
    const whole = (digit: string): Buffer => Buffer.from(start.padEnd(2 * sizeBytes, digit), 'hex');
    return [{ sizeBytes, from: whole('0'), to: whole('f') }];
  });
}

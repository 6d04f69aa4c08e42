/** An interpretation of a search text: as a form of identifier, or as the beginning of a name. */
export interface Reading {
  readonly is: Form;
  readonly text: string;
}

export type Form = 'uuid' | 'prefix' | 'hash' | 'address' | 'transaction' | 'did' | 'cid' | 'version' | 'text';

const uuidShape = [8, 4, 4, 4, 12];
const minPrefixCharacters = 4;
const maxCharacters = 256;
const name = '[A-Za-z0-9._-]{1,64}';

/** Unambiguous forms. */
const whole: readonly (readonly [form: Form, pattern: RegExp])[] = [
  ['uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['transaction', /^0x[0-9a-f]{64}$/i],
  ['address', /^0x[0-9a-f]{40}$/i],
  ['hash', /^[0-9a-f]{64}$/i],
  ['did', /^did:[a-z]+:\S+$/],
  ['cid', /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{58,})$/],
];
const version = new RegExp(`^${name}@${name}$`);
/** Forms that ignore case. */
const hexadecimal: ReadonlySet<Form> = new Set(['uuid', 'transaction', 'address', 'hash']);

/**
 * The interpretations of a search text. A complete id, hash, address, DID or CID has only one; four or more hexadecimal
 * digits may begin an id or a name; any other text begins a name. An empty text has none.
 */
export function classify(given: string): readonly Reading[] {
  const text = given.trim().slice(0, maxCharacters);
  if (text === '') return [];
  const [form] = whole.find(([, pattern]) => pattern.test(text)) ?? [];
  if (form !== undefined) return [{ is: form, text: hexadecimal.has(form) ? text.toLowerCase() : text }];
  if (version.test(text)) return [{ is: 'version', text }];
  const asName: Reading = { is: 'text', text };
  return isPrefix(text) ? [{ is: 'prefix', text: text.toLowerCase() }, asName] : [asName];
}

function isPrefix(text: string): boolean {
  const parts = text.split('-');
  if (text.length < minPrefixCharacters || parts.length > uuidShape.length) return false;
  return parts.every((part, index) => {
    const isLast = index === parts.length - 1;
    const length = uuidShape[index] ?? 0;
    return /^[0-9a-f]*$/i.test(part) && (isLast ? part.length <= length : part.length === length);
  });
}

import { fullFormats } from 'ajv-formats/dist/formats.js';
import { assert } from '../invariant.js';

/** Tests whether a text has a format. */
export type Format = (text: string) => boolean;

/**
 * The formats that are asserted up to draft-07 (docs/protocol.md §10.1); any other is an annotation. Each was tested
 * with long adversarial texts: all take linear time. `regex` is not among them, since a value could be a list of
 * expressions that each take long to compile.
 */
const names = [
  'date',
  'time',
  'date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
] as const;

/** No date, address or name is longer, and such an expression can overflow the stack on a long text. */
const maxFormatCharacters = 8_192;

/** The formats by name. */
export const formats: Readonly<Record<string, Format>> = Object.fromEntries(
  names.map((name) => {
    const format = toFormat(fullFormats[name]);
    return [name, (text: string) => text.length <= maxFormatCharacters && format(text)];
  }),
);

function toFormat(format: unknown): Format {
  if (isTest(format)) return (text) => Boolean(format(text));
  if (typeof format === 'object' && format !== null && 'validate' in format) return toFormat(format.validate);
  assert(format instanceof RegExp, 'a format is an expression, a function, or an object with one');
  // A sticky or global expression keeps state between calls.
  const expression = new RegExp(format.source, format.flags.replaceAll(/[gy]/g, ''));
  return (text) => expression.test(text);
}

function isTest(format: unknown): format is (text: string) => unknown {
  return typeof format === 'function';
}

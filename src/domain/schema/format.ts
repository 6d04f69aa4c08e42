import { fullFormats } from 'ajv-formats/dist/formats.js';
import { assert } from '../invariant.js';

/** Whether a text has a format. */
export type Format = (text: string) => boolean;

/**
 * The formats that are asserted up to draft-07 (S §4.5); any other is an annotation. Each was tried with long texts
 * that make such expressions slow: all take time in proportion to the text. `regex` is not among them: a value could
 * be a list of expressions that each take long to compile.
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

/** No date, address or name is longer; such an expression may run out of stack on a long text. */
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
  // A sticky or global expression would remember where it stopped.
  const expression = new RegExp(format.source, format.flags.replaceAll(/[gy]/g, ''));
  return (text) => expression.test(text);
}

function isTest(format: unknown): format is (text: string) => unknown {
  return typeof format === 'function';
}

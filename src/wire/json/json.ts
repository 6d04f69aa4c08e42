import type { TSchema } from '@sinclair/typebox';
import { ServiceError } from '../errors/error.js';
import { rawMark } from './raw-mark.js';
import type { JsonText } from '../scalar.js';

/** Decodes UTF-8. @throws ServiceError json_bounds if the bytes are not UTF-8 */
export function decode(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    throw new ServiceError('json_bounds', { problem: 'it is not UTF-8' });
  }
}

/** Writes one of the program's own values as JSON. */
export function textOf(value: unknown): JsonText {
  return JSON.stringify(value) as JsonText; // the one place where our own values become JSON text
}

/** Parses JSON in the ordinary way: the last of repeated keys counts, numbers become floats. For validation only. */
export function valueOf(text: JsonText): unknown {
  return JSON.parse(text);
}

/** Appends members to the text of an object; its own members stay as they are and take precedence. */
export function withMembers(text: JsonText, members: Readonly<Record<string, string | number>>): JsonText {
  const known = new Set(Object.keys(valueOf(text) as object)); // the caller has checked that it is an object
  const added = Object.entries(members).filter(([name]) => !known.has(name));
  if (added.length === 0) return text;
  const written = added.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',');
  // an object's text with further members
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}${written}}` as JsonText;
}

/**
 * Writes a value by its schema as compact JSON: members in the schema's order, without absent ones, raw ones copied.
 * Members that the schema does not name are not written.
 */
export function write(schema: TSchema, value: unknown): string {
  return writerOf(schema)(value);
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Text that JSON does not escape. Nearly every text is of this kind, and the test takes a third of the time of writing
 * it.
 */
const plainText = /^[ !#-[\]-~]*$/;

type Writer = (value: unknown) => string;
const writers = new WeakMap<TSchema, Writer>();

function writerOf(schema: TSchema): Writer {
  let writer = writers.get(schema);
  if (writer === undefined) {
    writer = makeWriter(schema);
    writers.set(schema, writer);
  }
  return writer;
}

function makeWriter(schema: TSchema): Writer {
  if (isRaw(schema)) return (value) => value as string; // a raw member is already text
  if (schema.properties !== undefined) {
    const members = Object.entries(schema.properties as Record<string, TSchema>).map(memberOf);
    return (value) => writeObject(members, value);
  }
  if (schema.items !== undefined) {
    const item = writerOf(schema.items as TSchema);
    return (value) => `[${(value as unknown[]).map(item).join(',')}]`; // checked by the type that goes with the schema
  }
  const [some, ...others] = ((schema.anyOf ?? []) as TSchema[]).filter((choice) => choice.type !== 'null');
  if (some !== undefined && others.length === 0) {
    const writer = writerOf(some);
    return (value) => (value === null ? 'null' : writer(value));
  }
  return writePlain;
}

function writePlain(value: unknown): string {
  return typeof value === 'string' && plainText.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** The writer of a member, with the text before its value: as the first member, and as a later one. */
interface Member {
  readonly name: string;
  readonly writer: Writer;
  readonly first: Prefix;
  readonly next: Prefix;
}

/** The same with the opening quote of a string included, which saves a concatenation. */
interface Prefix {
  readonly ofAny: string;
  readonly ofText: string;
}

function memberOf([name, schema]: readonly [string, TSchema]): Member {
  const prefixBehind = (mark: string): Prefix => {
    const ofAny = `${mark}${JSON.stringify(name)}:`;
    return { ofAny, ofText: `${ofAny}"` };
  };
  return { name, writer: writerOf(schema), first: prefixBehind('{'), next: prefixBehind(',') };
}

function writeObject(members: readonly Member[], value: unknown): string {
  const object = value as Record<string, unknown>; // checked by the type that goes with the schema
  let text = '';
  for (const { name, writer, first, next } of members) {
    const member = object[name];
    if (member === undefined) continue;
    const prefix = text === '' ? first : next;
    if (writer === writePlain && typeof member === 'string' && plainText.test(member))
      text += `${prefix.ofText}${member}"`;
    else text += prefix.ofAny + writer(member);
  }
  return text === '' ? '{}' : `${text}}`;
}

function isRaw(schema: TSchema | undefined): boolean {
  return schema?.[rawMark] !== undefined;
}

import type { TSchema } from '@sinclair/typebox';
import { ServiceError } from './error.js';
import { rawMark } from './raw-mark.js';
import type { JsonText } from './scalar.js';

/** UTF-8 bytes as text. @throws ServiceError json_bounds when they are not UTF-8 */
export function decode(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    throw new ServiceError('json_bounds', { problem: 'it is not UTF-8' });
  }
}

/** The text of a value that we made ourselves. */
export function textOf(value: unknown): JsonText {
  return JSON.stringify(value) as JsonText; // the one place where our own values become JSON text
}

/**
 * The value of a JSON text in the ordinary way: of repeated keys the last counts, numbers are floats. For validation
 * only.
 */
export function valueOf(text: JsonText): unknown {
  return JSON.parse(text);
}

/**
 * The text of an object with members of ours behind its own, which stay as they are. What it has already is not added.
 */
export function withMembers(text: JsonText, members: Readonly<Record<string, string | number>>): JsonText {
  const known = new Set(Object.keys(valueOf(text) as object)); // the caller has looked that it is an object
  const added = Object.entries(members).filter(([name]) => !known.has(name));
  if (added.length === 0) return text;
  const written = added.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',');
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}${written}}` as JsonText; // an object's text with members more
}

/**
 * Writes a value along its schema as one compact JSON text: members in the schema's order, absent ones left out, raw
 * ones copied. What the schema does not name is not written.
 */
export function write(schema: TSchema, value: unknown): string {
  return writerOf(schema)(value);
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What JSON leaves as it is: nearly every text is of these, and to look costs a third of writing it. */
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
  if (isRaw(schema)) return (value) => value as string; // a raw member is its text
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

/** A member of objects, with what stands before its value when it is the first, and otherwise. */
interface Member {
  readonly name: string;
  readonly writer: Writer;
  readonly first: Prefix;
  readonly next: Prefix;
}

/** The same with the quote that begins a text, since each piece that a text is put together of is garbage. */
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

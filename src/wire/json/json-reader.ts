import type { TSchema } from '@sinclair/typebox';
import { ServiceError } from '../errors/error.js';
import {
  checkDepth,
  code,
  type Cursor,
  expectColon,
  expectEnd,
  forEachMember,
  openCursor,
  readRaw,
  scanString,
} from './json-scan.js';
import { rawMark } from './raw-mark.js';
import type { JsonText } from '../scalar.js';

export interface ReadResult {
  /** Objects contain only members that the schema names; they are not yet checked against it. */
  readonly value: unknown;
  /** Paths of members that the schema does not know, such as `header.colour`. They were parsed and dropped. */
  readonly unknown: readonly string[];
  /** Path of a list with more entries than the schema's `maxItems`. Entries above the limit were parsed and dropped. */
  readonly tooLong?: string | undefined;
}

/** The state of parsing one text by a schema. */
interface Reading extends Cursor {
  /** Paths of unknown members. */
  readonly unknown: string[];
  /** The path to the value being parsed. */
  readonly path: (string | number)[];
  /** How many more list entries and unknown members the text may have. */
  entriesLeft: number;
  tooLong?: string;
}

export interface ReadLimits {
  /** Limit for list entries and unknown members, not counting those inside raw members. Default: none. */
  readonly maxEntries?: number;
}

/**
 * Parses one JSON text by a schema. Members marked raw are returned as `JsonText`, byte for byte except for whitespace
 * outside strings. Depth and grammar are checked before anything is built (docs/architecture.md §12.3).
 *
 * @throws ServiceError not_json with the position; json_bounds for nesting or entries beyond the limits, or a repeated
 * key outside values
 */
export function read(text: string, schema: TSchema, { maxEntries = Infinity }: ReadLimits = {}): ReadResult {
  const reading: Reading = { ...openCursor(text), unknown: [], path: [], entriesLeft: maxEntries };
  const value = readValue(reading, schema, 1);
  expectEnd(reading);
  return { value, unknown: reading.unknown, tooLong: reading.tooLong };
}

/** Returns the text of a JSON value without whitespace outside strings. @throws ServiceError not_json, json_bounds */
export function compact(text: string): JsonText {
  const cursor = openCursor(text);
  const value = readRaw(cursor, 0);
  expectEnd(cursor);
  return value;
}

/**
 * The members of an object as texts; of a repeated key the last. Undefined for any other value.
 *
 * @throws ServiceError not_json, json_bounds
 */
export function membersOf(text: JsonText): ReadonlyMap<string, JsonText> | undefined {
  const cursor = openCursor(text);
  if (text.charCodeAt(cursor.position) !== code.openBrace) return undefined;
  const members = new Map<string, JsonText>();
  forEachMember(cursor, code.closeBrace, () => {
    const key = stringIn(scanString(cursor));
    expectColon(cursor);
    members.set(key, readRaw(cursor, 0));
  });
  expectEnd(cursor);
  return members;
}

/**
 * The elements of an array as texts. Undefined for any other value.
 *
 * @throws ServiceError not_json, json_bounds
 */
export function elementsOf(text: JsonText): readonly JsonText[] | undefined {
  const cursor = openCursor(text);
  if (text.charCodeAt(cursor.position) !== code.openBracket) return undefined;
  const elements: JsonText[] = [];
  forEachMember(cursor, code.closeBracket, () => {
    elements.push(readRaw(cursor, 0));
  });
  expectEnd(cursor);
  return elements;
}

function readValue(reading: Reading, schema: TSchema | undefined, depth: number): unknown {
  if (schema?.[rawMark] !== undefined) return readRaw(reading, depth - 1, schema[rawMark] === 'text');
  const shape = withoutNull(schema);
  const first = reading.text.charCodeAt(reading.position);
  if (first === code.openBrace && shape?.properties !== undefined) {
    return readObject(reading, shape.properties as Record<string, TSchema>, depth);
  }
  if (first === code.openBracket && shape?.items !== undefined) {
    return readArray(reading, shape, depth);
  }
  if (first === code.quote) return stringIn(scanString(reading));
  return JSON.parse(readRaw(reading, depth - 1)) as unknown; // grammar and depth were checked by the scan
}

function readObject(reading: Reading, properties: Record<string, TSchema>, depth: number): Record<string, unknown> {
  checkDepth(depth, 0);
  const object: Record<string, unknown> = {};
  const unknown = new Set<string>();
  forEachMember(reading, code.closeBrace, () => {
    const key = stringIn(scanString(reading));
    if (Object.hasOwn(object, key) || unknown.has(key)) {
      throw new ServiceError('json_bounds', { problem: `the key "${key}" is repeated` });
    }
    expectColon(reading);
    reading.path.push(key);
    if (Object.hasOwn(properties, key)) object[key] = readValue(reading, properties[key], depth + 1);
    else {
      countEntry(reading);
      unknown.add(key);
      reading.unknown.push(pathText(reading.path));
      readRaw(reading, depth);
    }
    reading.path.pop();
  });
  return object;
}

function readArray(reading: Reading, { items, maxItems = Infinity }: TSchema, depth: number): unknown[] {
  checkDepth(depth, 0);
  const array: unknown[] = [];
  forEachMember(reading, code.closeBracket, () => {
    countEntry(reading);
    if (array.length === maxItems) {
      reading.tooLong ??= pathText(reading.path);
      readRaw(reading, depth);
      return;
    }
    reading.path.push(array.length);
    array.push(readValue(reading, items as TSchema, depth + 1));
    reading.path.pop();
  });
  return array;
}

function countEntry(reading: Reading): void {
  reading.entriesLeft -= 1;
  if (reading.entriesLeft < 0) {
    throw new ServiceError('json_bounds', {
      problem: 'its lists have too many entries, or it has too many unknown keys',
    });
  }
}

/** A path such as `header.colour` or `data[0].sort`. */
function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** The content of a JSON string that the scan has accepted. */
function stringIn(text: string): string {
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

/** The schema itself, or the non-null alternative of a nullable one. */
function withoutNull(schema: TSchema | undefined): TSchema | undefined {
  const choices = schema?.anyOf as TSchema[] | undefined;
  return choices === undefined ? schema : choices.find((choice) => choice.type !== 'null');
}

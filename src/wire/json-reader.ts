import type { TSchema } from '@sinclair/typebox';
import { ServiceError } from './error.js';
import { rawMark } from './raw-mark.js';
import type { JsonText } from './scalar.js';

/** Network limits: they decide whether a text is valid, so they are equal on every node (S §18). */
export const maxTextDepth = 80;
export const maxValueDepth = 64;

const code = {
  tab: 9,
  lineFeed: 10,
  carriageReturn: 13,
  space: 32,
  quote: 34,
  plus: 43,
  comma: 44,
  minus: 45,
  dot: 46,
  zero: 48,
  nine: 57,
  colon: 58,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  openBrace: 123,
  closeBrace: 125,
} as const;

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const plainStringEnd = /["\\\u0000-\u001f]/g;

/** Where the reading of one text stands. */
interface Cursor {
  readonly text: string;
  readonly unknown: string[];
  position: number;
  /** Of the raw value being scanned: what was copied, and the start of what is not; whitespace is cut out between. */
  copied: string;
  copiedTo: number;
}

export interface ReadResult {
  /** Objects hold the members that the schema names and no others; not yet checked against it. */
  readonly value: unknown;
  /** Paths of the members that the schema does not know, such as `header.colour`. They were checked and dropped. */
  readonly unknown: readonly string[];
}

/**
 * Reads one JSON text along a schema. Members marked raw come back as `JsonText`, byte for byte but for whitespace
 * outside strings. Depth and grammar are checked before anything is built (assurance S14).
 *
 * @throws ServiceError not_json with the position; json_bounds for nesting beyond the limits or a repeated key outside
 * values
 */
export function read(text: string, schema: TSchema): ReadResult {
  const cursor = openCursor(text);
  const value = readValue(cursor, schema, '', 1);
  expectEnd(cursor);
  return { value, unknown: cursor.unknown };
}

/** The text of any JSON value, whitespace outside strings removed. @throws ServiceError not_json, json_bounds */
export function compact(text: string): JsonText {
  const cursor = openCursor(text);
  const value = readRaw(cursor, 0);
  expectEnd(cursor);
  return value;
}

/**
 * The members of an object, each as its text; of a repeated one the last. Undefined for any other value.
 *
 * @throws ServiceError not_json, json_bounds
 */
export function membersOf(text: JsonText): ReadonlyMap<string, JsonText> | undefined {
  const cursor = openCursor(text);
  if (text.charCodeAt(cursor.position) !== code.openBrace) return undefined;
  const members = new Map<string, JsonText>();
  forEachMember(cursor, code.closeBrace, skipSpace, () => {
    const key = JSON.parse(scanString(cursor)) as string; // the scan accepted it as a JSON string
    expectColon(cursor, skipSpace);
    members.set(key, readRaw(cursor, 0));
  });
  expectEnd(cursor);
  return members;
}

/**
 * The elements of an array, each as its text. Undefined for any other value.
 *
 * @throws ServiceError not_json, json_bounds
 */
export function elementsOf(text: JsonText): readonly JsonText[] | undefined {
  const cursor = openCursor(text);
  if (text.charCodeAt(cursor.position) !== code.openBracket) return undefined;
  const elements: JsonText[] = [];
  forEachMember(cursor, code.closeBracket, skipSpace, () => {
    elements.push(readRaw(cursor, 0));
  });
  expectEnd(cursor);
  return elements;
}

function openCursor(text: string): Cursor {
  const cursor = { text, unknown: [], position: 0, copied: '', copiedTo: 0 };
  skipSpace(cursor);
  return cursor;
}

function expectEnd(cursor: Cursor): void {
  skipSpace(cursor);
  if (cursor.position < cursor.text.length) fail(cursor, 'there is more after the end of the value');
}

function readValue(cursor: Cursor, schema: TSchema | undefined, path: string, depth: number): unknown {
  if (schema?.[rawMark] !== undefined) return readRaw(cursor, depth - 1, schema[rawMark] === 'text');
  const shape = withoutNull(schema);
  const first = cursor.text.charCodeAt(cursor.position);
  if (first === code.openBrace && shape?.properties !== undefined) {
    return readObject(cursor, shape.properties as Record<string, TSchema>, path, depth);
  }
  if (first === code.openBracket && shape?.items !== undefined) {
    return readArray(cursor, shape.items as TSchema, path, depth);
  }
  return JSON.parse(readRaw(cursor, depth - 1)) as unknown; // grammar and depth were checked by the scan
}

function readObject(
  cursor: Cursor,
  properties: Record<string, TSchema>,
  path: string,
  depth: number,
): Record<string, unknown> {
  checkDepth(depth, 0);
  const object: Record<string, unknown> = {};
  const seen = new Set<string>();
  forEachMember(cursor, code.closeBrace, skipSpace, () => {
    const key = JSON.parse(scanString(cursor)) as string; // the scan accepted it as a JSON string
    if (seen.has(key)) throw new ServiceError('json_bounds', { problem: `the key "${key}" is repeated` });
    seen.add(key);
    expectColon(cursor, skipSpace);
    const memberPath = path === '' ? key : `${path}.${key}`;
    if (Object.hasOwn(properties, key)) {
      object[key] = readValue(cursor, properties[key], memberPath, depth + 1);
    } else {
      cursor.unknown.push(memberPath);
      readRaw(cursor, depth);
    }
  });
  return object;
}

function readArray(cursor: Cursor, items: TSchema, path: string, depth: number): unknown[] {
  checkDepth(depth, 0);
  const array: unknown[] = [];
  forEachMember(cursor, code.closeBracket, skipSpace, () => {
    array.push(readValue(cursor, items, `${path}[${array.length}]`, depth + 1));
  });
  return array;
}

/**
 * Scans one value and answers its compact text. `outer` = how deep in the whole text it stands. A text inside a text
 * may be as deep as a text.
 */
function readRaw(cursor: Cursor, outer: number, isText = false): JsonText {
  cursor.copiedTo = cursor.position;
  cursor.copied = '';
  // The depth in a value, which has the lower limit, begins as much lower.
  const surplus = isText ? maxTextDepth - maxValueDepth : 0;
  scan(cursor, outer + surplus, 1 - surplus);
  const text = cursor.copied + cursor.text.slice(cursor.copiedTo, cursor.position);
  return text as JsonText; // made by the scan just now
}

function scan(cursor: Cursor, outer: number, depth: number): void {
  const first = cursor.text.charCodeAt(cursor.position);
  if (first === code.openBrace) {
    checkDepth(outer + depth, depth);
    forEachMember(cursor, code.closeBrace, cutSpace, () => {
      scanString(cursor);
      expectColon(cursor, cutSpace);
      scan(cursor, outer, depth + 1);
    });
  } else if (first === code.openBracket) {
    checkDepth(outer + depth, depth);
    forEachMember(cursor, code.closeBracket, cutSpace, () => {
      scan(cursor, outer, depth + 1);
    });
  } else if (first === code.quote) scanString(cursor);
  else if (first === code.minus || (first >= code.zero && first <= code.nine)) scanNumber(cursor);
  else scanLiteral(cursor);
}

/** From the opening to the closing character of an object or array. `space` says what becomes of the white space. */
function forEachMember(cursor: Cursor, close: number, space: (cursor: Cursor) => void, member: () => void): void {
  cursor.position++;
  space(cursor);
  if (cursor.text.charCodeAt(cursor.position) === close) {
    cursor.position++;
    return;
  }
  for (;;) {
    member();
    space(cursor);
    if (cursor.text.charCodeAt(cursor.position) === close) {
      cursor.position++;
      return;
    }
    expect(cursor, code.comma, `"," or "${String.fromCharCode(close)}"`);
    space(cursor);
  }
}

/** Answers the string with its quotes. */
function scanString(cursor: Cursor): string {
  const start = cursor.position;
  expect(cursor, code.quote, 'a string');
  for (;;) {
    plainStringEnd.lastIndex = cursor.position;
    const stop = plainStringEnd.exec(cursor.text);
    cursor.position = stop?.index ?? cursor.text.length;
    if (stop?.[0] === '"') break;
    escapePattern.lastIndex = cursor.position;
    if (!escapePattern.test(cursor.text)) fail(cursor, 'a string has a bad escape or a control character');
    cursor.position = escapePattern.lastIndex;
  }
  cursor.position++;
  return cursor.text.slice(start, cursor.position);
}

function scanNumber(cursor: Cursor): void {
  numberPattern.lastIndex = cursor.position;
  if (!numberPattern.test(cursor.text)) fail(cursor, 'a number is malformed');
  cursor.position = numberPattern.lastIndex;
}

function scanLiteral(cursor: Cursor): void {
  const word = ['true', 'false', 'null'].find((literal) => cursor.text.startsWith(literal, cursor.position));
  if (word === undefined) fail(cursor, 'expected a value');
  cursor.position += word.length;
}

function expectColon(cursor: Cursor, space: (cursor: Cursor) => void): void {
  space(cursor);
  expect(cursor, code.colon, '":"');
  space(cursor);
}

function expect(cursor: Cursor, wanted: number, name: string): void {
  if (cursor.text.charCodeAt(cursor.position) !== wanted) fail(cursor, `expected ${name}`);
  cursor.position++;
}

function checkDepth(whole: number, inValue: number): void {
  if (whole <= maxTextDepth && inValue <= maxValueDepth) return;
  const problem = `it is nested deeper than ${maxTextDepth} levels, or a value in it deeper than ${maxValueDepth}`;
  throw new ServiceError('json_bounds', { problem });
}

function skipSpace(cursor: Cursor): void {
  while (isSpace(cursor.text.charCodeAt(cursor.position))) cursor.position++;
}

function cutSpace(cursor: Cursor): void {
  if (!isSpace(cursor.text.charCodeAt(cursor.position))) return;
  cursor.copied += cursor.text.slice(cursor.copiedTo, cursor.position);
  skipSpace(cursor);
  cursor.copiedTo = cursor.position;
}

function fail(cursor: Cursor, problem: string): never {
  const isCut = cursor.position >= cursor.text.length;
  throw new ServiceError('not_json', { problem: isCut ? 'it ends too early' : problem, position: cursor.position });
}

function isSpace(character: number): boolean {
  return (
    character === code.space ||
    character === code.lineFeed ||
    character === code.carriageReturn ||
    character === code.tab
  );
}

/** The schema itself, or of a nullable one the part that is not null. */
function withoutNull(schema: TSchema | undefined): TSchema | undefined {
  const choices = schema?.anyOf as TSchema[] | undefined;
  return choices === undefined ? schema : choices.find((choice) => choice.type !== 'null');
}

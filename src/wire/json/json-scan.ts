import { ServiceError } from '../errors/error.js';
import type { JsonText } from '../scalar.js';

/** Network limits: they decide whether a text is valid, so they are the same on every node (docs/protocol.md §14). */
export const maxTextDepth = 80;
export const maxValueDepth = 64;

export const code = {
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

/** The read position in a text. */
export interface Cursor {
  readonly text: string;
  position: number;
  /**
   * For the raw value being scanned: the part that was copied, and the start of the rest; whitespace between is
   * dropped.
   */
  copied: string;
  copiedTo: number;
}

export function openCursor(text: string): Cursor {
  const cursor = { text, position: 0, copied: '', copiedTo: 0 };
  skipSpace(cursor);
  return cursor;
}

/** @throws ServiceError not_json if anything but whitespace follows the value */
export function expectEnd(cursor: Cursor): void {
  skipSpace(cursor);
  if (cursor.position < cursor.text.length) fail(cursor, 'there is more after the end of the value');
}

/**
 * Scans one value and returns its compact text. `outer` is its depth in the whole text. With `isText` the value is a
 * whole text itself and may be as deep as one.
 */
export function readRaw(cursor: Cursor, outer: number, isText = false): JsonText {
  cursor.copiedTo = cursor.position;
  cursor.copied = '';
  // A value has the lower limit of depth, so for a text its depth starts lower by the difference.
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

/** Scans an object or array from its opening to its closing character. `space` handles whitespace. */
export function forEachMember(
  cursor: Cursor,
  close: number,
  space: (cursor: Cursor) => void,
  member: () => void,
): void {
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
    if (cursor.text.charCodeAt(cursor.position) !== code.comma) {
      fail(cursor, `expected "," or "${String.fromCharCode(close)}"`);
    }
    cursor.position++;
    space(cursor);
  }
}

/** Scans a string and returns it with its quotes. */
export function scanString(cursor: Cursor): string {
  const start = cursor.position;
  expect(cursor, code.quote, 'a string');
  for (;;) {
    plainStringEnd.lastIndex = cursor.position;
    cursor.position = plainStringEnd.test(cursor.text) ? plainStringEnd.lastIndex - 1 : cursor.text.length;
    if (cursor.text.charCodeAt(cursor.position) === code.quote) break;
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

export function expectColon(cursor: Cursor, space: (cursor: Cursor) => void): void {
  space(cursor);
  expect(cursor, code.colon, '":"');
  space(cursor);
}

function expect(cursor: Cursor, wanted: number, name: string): void {
  if (cursor.text.charCodeAt(cursor.position) !== wanted) fail(cursor, `expected ${name}`);
  cursor.position++;
}

/** Checks the depth in the whole text and in a value. @throws ServiceError json_bounds */
export function checkDepth(whole: number, inValue: number): void {
  if (whole <= maxTextDepth && inValue <= maxValueDepth) return;
  const problem = `it is nested deeper than ${maxTextDepth} levels, or a value in it deeper than ${maxValueDepth}`;
  throw new ServiceError('json_bounds', { problem });
}

export function skipSpace(cursor: Cursor): void {
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

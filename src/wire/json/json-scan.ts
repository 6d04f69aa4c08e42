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
  upperE: 69,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  lowerE: 101,
  openBrace: 123,
  closeBrace: 125,
  byteOrderMark: 0xfeff,
} as const;

const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const plainStringEnd = /["\\\u0000-\u001f]/g;
/** Number of characters of a string that are compared one by one, before a regular expression searches for its end. */
const shortString = 32;

/** The read position in a text. */
export interface Cursor {
  readonly text: string;
  position: number;
  /**
   * For the raw value being scanned: the part that was copied, and the start of the remainder; whitespace in between is
   * dropped. Unused outside raw values.
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
  // A value has the lower limit of depth, so a text's depth starts lower by the difference.
  const surplus = isText ? maxTextDepth - maxValueDepth : 0;
  scan(cursor, outer + surplus, 1 - surplus);
  const text = cursor.copied + cursor.text.slice(cursor.copiedTo, cursor.position);
  return text as JsonText; // made by the scan just now
}

/**
 * Moves past one value. It creates no functions and no texts, since every character sent to a node passes through it.
 */
function scan(cursor: Cursor, outer: number, depth: number): void {
  const first = cursor.text.charCodeAt(cursor.position);
  if (first === code.openBrace) scanMembers(cursor, outer, depth);
  else if (first === code.openBracket) scanElements(cursor, outer, depth);
  else if (first === code.quote) skipString(cursor);
  else if (first === code.minus || isDigit(first)) scanNumber(cursor);
  else scanLiteral(cursor);
}

function scanMembers(cursor: Cursor, outer: number, depth: number): void {
  checkDepth(outer + depth, depth);
  let hasNext = startMembers(cursor, code.closeBrace);
  while (hasNext) {
    skipString(cursor);
    expectColon(cursor);
    scan(cursor, outer, depth + 1);
    hasNext = nextMember(cursor, code.closeBrace);
  }
}

function scanElements(cursor: Cursor, outer: number, depth: number): void {
  checkDepth(outer + depth, depth);
  let hasNext = startMembers(cursor, code.closeBracket);
  while (hasNext) {
    scan(cursor, outer, depth + 1);
    hasNext = nextMember(cursor, code.closeBracket);
  }
}

/** Scans an object or array from its opening to its closing character. */
export function forEachMember(cursor: Cursor, close: number, member: () => void): void {
  let hasNext = startMembers(cursor, close);
  while (hasNext) {
    member();
    hasNext = nextMember(cursor, close);
  }
}

/** Moves from the opening character to the first member, or past the closing one if there is none. */
function startMembers(cursor: Cursor, close: number): boolean {
  cursor.position++;
  cutSpace(cursor);
  if (cursor.text.charCodeAt(cursor.position) !== close) return true;
  cursor.position++;
  return false;
}

/** Moves from the end of a member to the next one, or past the closing character. */
function nextMember(cursor: Cursor, close: number): boolean {
  cutSpace(cursor);
  const next = cursor.text.charCodeAt(cursor.position);
  if (next !== close && next !== code.comma) fail(cursor, `expected "," or "${String.fromCharCode(close)}"`);
  cursor.position++;
  if (next === close) return false;
  cutSpace(cursor);
  return true;
}

/** Scans a string and returns it with its quotes. */
export function scanString(cursor: Cursor): string {
  const start = cursor.position;
  skipString(cursor);
  return cursor.text.slice(start, cursor.position);
}

function skipString(cursor: Cursor): void {
  expect(cursor, code.quote, 'a string');
  const { text } = cursor;
  for (;;) {
    const end = plainEnd(text, cursor.position);
    cursor.position = end;
    if (text.charCodeAt(end) === code.quote) break;
    escapePattern.lastIndex = end;
    if (!escapePattern.test(text)) fail(cursor, 'a string has a bad escape or a control character');
    cursor.position = escapePattern.lastIndex;
  }
  cursor.position++;
}

/** Finds the next quote, backslash or control character, or the end of the text. */
function plainEnd(text: string, start: number): number {
  const near = Math.min(text.length, start + shortString);
  for (let at = start; at < near; at++) {
    const character = text.charCodeAt(at);
    if (character === code.quote || character === code.backslash || character < code.space) return at;
  }
  plainStringEnd.lastIndex = near;
  return plainStringEnd.test(text) ? plainStringEnd.lastIndex - 1 : text.length;
}

function scanNumber(cursor: Cursor): void {
  const { text } = cursor;
  let at = cursor.position;
  if (text.charCodeAt(at) === code.minus) at++;
  let end = text.charCodeAt(at) === code.zero ? at + 1 : skipDigits(text, at);
  let isNumber = end > at;
  if (text.charCodeAt(end) === code.dot) {
    at = end + 1;
    end = skipDigits(text, at);
    isNumber &&= end > at;
  }
  const exponent = text.charCodeAt(end);
  if (exponent === code.upperE || exponent === code.lowerE) {
    const sign = text.charCodeAt(end + 1);
    at = sign === code.plus || sign === code.minus ? end + 2 : end + 1;
    end = skipDigits(text, at);
    isNumber &&= end > at;
  }
  if (!isNumber) fail(cursor, 'a number is malformed');
  cursor.position = end;
}

function skipDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(character: number): boolean {
  return character >= code.zero && character <= code.nine;
}

function scanLiteral(cursor: Cursor): void {
  const word = ['true', 'false', 'null'].find((literal) => cursor.text.startsWith(literal, cursor.position));
  if (word === undefined) fail(cursor, isAtMark(cursor) ? 'a byte order mark is not allowed' : 'expected a value');
  cursor.position += word.length;
}

/** Some editors put an invisible byte order mark before a text. */
function isAtMark({ text, position }: Cursor): boolean {
  return text.charCodeAt(position) === code.byteOrderMark;
}

export function expectColon(cursor: Cursor): void {
  cutSpace(cursor);
  expect(cursor, code.colon, '":"');
  cutSpace(cursor);
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
  // True of nearly every character.
  if (character > code.space) return false;
  return (
    character === code.space ||
    character === code.lineFeed ||
    character === code.carriageReturn ||
    character === code.tab
  );
}

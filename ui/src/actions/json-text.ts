import { ServiceError } from '../../../src/wire/errors/error.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import type { JsonText } from '../../../src/wire/scalar.js';

/** The reason why a text is not JSON, with line and column; undefined if it is JSON. */
export function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Enter a JSON value, such as {"hello":"world"} or "a text".';
  try {
    compact(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { problem, position } = error.fields;
    const place = typeof position === 'number' ? ` at ${placeOf(text, position)}` : '';
    return `Not valid JSON: ${problem ?? error.text}${place}.`;
  }
}

/** The text unchanged if it is JSON, otherwise undefined. */
export function jsonOf(text: string): JsonText | undefined {
  return isJson(text) ? text : undefined;
}

function isJson(text: string): text is JsonText {
  return jsonProblem(text) === undefined;
}

function placeOf(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

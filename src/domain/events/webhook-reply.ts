import { isServiceError } from '../../wire/errors/error.js';
import { compact } from '../../wire/json/json-reader.js';
import { decode, textOf } from '../../wire/json/json.js';
import type { JsonText } from '../../wire/scalar.js';

/** The response of a webhook. */
export interface WebhookAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const jsonType = /^(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Builds the value of the reply message (docs/api.md §16): `{status, headers, body}`. Header names are spelled like
 * `Content-Type`, since applications of FireFly look for that spelling. A JSON body is kept byte for byte except for
 * whitespace; any other becomes base64 text. With `isJson` the content type is ignored. Cookies concern only the caller
 * and are left out.
 */
export function replyValue({ status, headers, body }: WebhookAnswer, isJson: boolean): JsonText {
  const { 'set-cookie': _, ...others } = headers;
  const shown = Object.fromEntries(Object.entries(others).map(([name, value]) => [usualSpelling(name), value]));
  const whole = (bodyText: string): string => `${textOf({ status, headers: shown }).slice(0, -1)},"body":${bodyText}}`;
  const mayBeJson = isJson || jsonType.test(headers['content-type'] ?? '');
  const text = mayBeJson ? readable(() => decode(body)) : undefined;
  // Inside the reply it is one level deeper, which may exceed the limit.
  const json = text === undefined ? undefined : readable(() => compact(whole(compact(text))));
  return json ?? compact(whole(textOf(Buffer.from(body).toString('base64'))));
}

/** Builds the value of the reply message for a webhook that did not respond, in the manner of a gateway. */
export function noReplyValue(error: string): JsonText {
  return textOf({ status: 502, headers: { 'Content-Type': 'application/json' }, body: { error } });
}

/** `content-type` → `Content-Type`. */
function usualSpelling(name: string): string {
  return name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isServiceError(error)) return undefined;
    throw error;
  }
}

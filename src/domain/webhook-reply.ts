import { isServiceError } from '../wire/error.js';
import { compact } from '../wire/json-reader.js';
import { decode, textOf } from '../wire/json.js';
import type { JsonText } from '../wire/scalar.js';

/** What a webhook has answered. */
export interface WebhookAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const jsonType = /^(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * The value of the message that answers (S §12): `{status, headers, body}`. A body that is JSON is that, byte for byte
 * but for whitespace; any other is base64 text. With `isJson` its content type does not matter. Cookies are for the
 * caller alone and stay here.
 */
export function replyValue({ status, headers, body }: WebhookAnswer, isJson: boolean): JsonText {
  const { 'set-cookie': _, ...shown } = headers;
  const whole = (bodyText: string): string => `${textOf({ status, headers: shown }).slice(0, -1)},"body":${bodyText}}`;
  const mayBeJson = isJson || jsonType.test(headers['content-type'] ?? '');
  const text = mayBeJson ? readable(() => decode(body)) : undefined;
  // Within the whole it is one level deeper, and that may be too deep.
  const json = text === undefined ? undefined : readable(() => compact(whole(compact(text))));
  return json ?? compact(whole(textOf(Buffer.from(body).toString('base64'))));
}

/** The value of the message that answers for a webhook that has not: as a gateway says it. */
export function noReplyValue(error: string): JsonText {
  return textOf({ status: 502, headers: {}, body: { error } });
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isServiceError(error)) return undefined;
    throw error;
  }
}

import { Type } from '@sinclair/typebox';
import { ServiceError } from './error.js';
import { read } from '../json/json-reader.js';

/** The body of every error response (docs/api.md §4). */
export const ErrorBody = Type.Object({
  error: Type.String({ description: 'code and sentence on one line, such as "FF10109: Not found: …"' }),
});

export interface RemoteError {
  /** FireFly's code or Parley's, such as `FF10109`; undefined if the text has none. */
  readonly code: string | undefined;
  /** The sentence without the code. */
  readonly text: string;
}

/** Reads the body of an error response; undefined if it does not have this format (such as a proxy's page). */
export function readErrorBody(body: string): RemoteError | undefined {
  const message = messageOf(body);
  if (message === undefined) return undefined;
  const match = /^((?:FF|PY)\d{4,5}): (.*)$/s.exec(message);
  return { code: match?.[1], text: match?.[2] ?? message };
}

function messageOf(body: string): string | undefined {
  try {
    const { value } = read(body, ErrorBody);
    const message: unknown = value instanceof Object && 'error' in value ? value.error : undefined;
    return typeof message === 'string' ? message : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

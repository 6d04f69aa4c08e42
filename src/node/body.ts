import type { IncomingMessage } from 'node:http';
import type { TSchema } from '@sinclair/typebox';
import getRawBody from 'raw-body';
import { ServiceError } from '../wire/error.js';
import { given } from '../wire/given.js';
import { decode } from '../wire/json.js';
import { read } from '../wire/json-reader.js';
import { shortened } from '../wire/sentence.js';

export interface ReadBody {
  readonly value: unknown;
  /** Members that the request's schema does not know, without those that a node sets itself (S §1.2). */
  readonly ignored: readonly string[];
}

const maxBodyBytes = 1024 * 1024;
const maxIgnoredListed = 20;

/** What a script that posts back what it has read sends along. */
const setByNode =
  /(^|\.|\])(id|hash|state|created|confirmed|rejected|namespace|localNamespace|datahash|batch|txid|pins|validator)$/;

/** In a text without either nothing is blank. */
const maybeBlank = /null|""/;
/** In a text without it no name, key or description can have half of a character. */
const maybeHalf = /\\u[dD][89a-fA-F]/;

/**
 * Reads a JSON body as text, so that every value keeps its bytes (S §1.3). An absent body is an empty object, and an
 * optional member that is null or an empty text is not there (`wire/given.ts`).
 *
 * @throws ServiceError body_too_large, json_bounds, not_json
 */
export async function readBody(request: IncomingMessage, schema: TSchema): Promise<ReadBody> {
  const bytes = await receive(request);
  const text = bytes.byteLength === 0 ? '{}' : decode(bytes);
  const { value, unknown } = read(text, schema);
  if (maybeHalf.test(text)) refuseHalves(value);
  return {
    value: maybeBlank.test(text) ? given(value, schema) : value,
    ignored: printable(unknown.filter((path) => !setByNode.test(path))),
  };
}

/** Names of what is ignored, as a header can have them: some of them, in visible ASCII. */
export function printable(names: readonly string[]): readonly string[] {
  return names.slice(0, maxIgnoredListed).map((name) => shortened(name).replaceAll(/[^\x21-\x7e]/g, '?'));
}

/**
 * A value is kept as its text, escapes included. What is kept as characters is kept in UTF-8, which has no half of a
 * surrogate pair: two that differ would become the same.
 */
function refuseHalves(value: unknown): void {
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
    throw new ServiceError('json_bounds', { problem: 'a text outside of values has half of a surrogate pair' });
  }
  if (value !== null && typeof value === 'object') Object.values(value).forEach(refuseHalves);
}

async function receive(request: IncomingMessage): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit: maxBodyBytes, length: request.headers['content-length'] ?? null });
  } catch (error) {
    if (hasType(error, 'entity.too.large')) throw new ServiceError('body_too_large', { max: maxBodyBytes });
    if (hasType(error, 'request.size.invalid') || hasType(error, 'request.aborted')) {
      throw new ServiceError('not_json', { problem: 'the body ended before its announced length', position: 0 });
    }
    throw error;
  }
}

function hasType(error: unknown, type: string): boolean {
  return error instanceof Error && 'type' in error && error.type === type;
}

import type { IncomingMessage } from 'node:http';
import type { TSchema } from '@sinclair/typebox';
import getRawBody from 'raw-body';
import type { Throttle } from '../../pipeline/throttle.js';
import { ServiceError } from '../../wire/errors/error.js';
import { given } from '../../wire/given.js';
import { decode } from '../../wire/json/json.js';
import { read } from '../../wire/json/json-reader.js';
import { shortened } from '../../wire/errors/sentence.js';

export interface ReadBody {
  readonly value: unknown;
  /** Unknown members of the body, except those that a node itself sets (docs/api.md §2). */
  readonly ignored: readonly string[];
}

const maxBodyBytes = 1024 * 1024;
/**
 * More than any accepted request has: an interface may have 3,000 parts with 4,000 parameters. Each entry takes
 * microseconds during which the node does nothing else.
 */
const maxEntries = 16_000;
const maxIgnoredListed = 20;

/** Members that a script sends if it posts back what it has read. */
const setByNode =
  /(^|\.|\])(id|hash|state|created|confirmed|rejected|namespace|localNamespace|datahash|batch|txid|pins|validator)$/;

/** A text without this escape contains no unpaired surrogate. */
const maybeHalf = /\\u[dD][89a-fA-F]/;

/** Shorter bodies are read in a few milliseconds. */
const longBodyBytes = 65_536;

/**
 * Reads a JSON body, keeping the bytes of every value (docs/api.md §3.1). A missing body is an empty object, and an
 * optional member that is null or an empty text counts as absent (`wire/given.ts`).
 *
 * @throws ServiceError body_too_large, json_bounds, not_json
 */
export type BodyReader = (request: IncomingMessage, schema: TSchema) => Promise<ReadBody>;

/**
 * Creates the reader of a node. Parsing a body blocks everything else, so long bodies are parsed when the throttle lets
 * them.
 */
export function createBodyReader(throttle: Pick<Throttle, 'run'>): BodyReader {
  return async (request, schema) => {
    const bytes = await receive(request);
    if (bytes.byteLength < longBodyBytes) return parse(bytes, schema);
    return throttle.run(async () => parse(bytes, schema));
  };
}

function parse(bytes: Buffer, schema: TSchema): ReadBody {
  const text = bytes.byteLength === 0 ? '{}' : decode(bytes);
  const { value, unknown } = read(text, schema, { maxEntries });
  if (maybeHalf.test(text)) refuseHalves(value);
  return {
    value: given(value, schema),
    ignored: unknown.filter((path) => !setByNode.test(path)),
  };
}

/** The header that lists ignored names: a limited number, in visible ASCII, separated by the only commas in it. */
export function ignoredText(names: readonly string[]): string {
  const listed = [...new Set(names)].slice(0, maxIgnoredListed);
  return listed.map((name) => shortened(name).replaceAll(/[^\x21-\x7e]|,/g, '?')).join(', ');
}

/**
 * Refuses unpaired surrogates outside values. Values keep their JSON text with escapes; other texts are stored as
 * UTF-8, where unpaired surrogates would all become the same character.
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

import { compileFilter, type Filter, filterNames } from '../domain/filter.js';
import { ServiceError } from '../wire/error.js';
import { nearestHint, readFlag } from '../wire/query.js';

/** What a client asks for when it opens an event stream. */
export interface StreamRequest {
  /** As named in the path or the query; undefined = the default one. */
  readonly namespace: string | undefined;
  readonly isAutoack: boolean;
  readonly readAhead: number;
  readonly filter: Filter;
}

const maxReadAhead = 65_535;
const known = ['namespace', 'ephemeral', 'autoack', 'readahead', ...filterNames.map((name) => `filter.${name}`)];
/** FireFly's clients send them and they mean nothing here (S §1.2). */
const meaningless = ['changeevents'];
const pathPattern = /^\/ws$|^\/api\/v1\/namespaces\/([^/]+)\/ws$/;

/**
 * Reads the target of a WebSocket handshake (S §11.1).
 *
 * @throws ServiceError not_found for another path, unknown_parameter, bad_parameter, field_required, bad_filter,
 * unknown_filter
 */
export function readStreamRequest(target: string): StreamRequest {
  const url = new URL(target, 'http://localhost');
  const match = pathPattern.exec(url.pathname.replace(/(?<=.)\/$/, ''));
  if (match === null) throw new ServiceError('not_found', { what: `an event stream at ${url.pathname}` });
  const parameters = readStreamParameters(url.searchParams);
  if (readFlag(parameters.get('ephemeral')) !== true) {
    throw new ServiceError('field_required', { field: 'ephemeral', hint: ': /ws?namespace=default&ephemeral&autoack' });
  }
  return {
    namespace: match[1] ?? parameters.get('namespace'),
    isAutoack: readFlag(parameters.get('autoack')) ?? false,
    readAhead: readReadAhead(parameters.get('readahead')),
    filter: readFilter(parameters),
  };
}

function readStreamParameters(search: URLSearchParams): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of search) {
    const plain = name.replace(/\[\]$/, '');
    const match = known.find((candidate) => candidate.toLowerCase() === plain.toLowerCase());
    if (match !== undefined) parameters.set(match, value);
    else if (!meaningless.includes(plain.toLowerCase())) {
      throw new ServiceError('unknown_parameter', { actual: name, hint: nearestHint(plain.toLowerCase(), known) });
    }
  }
  return parameters;
}

function readReadAhead(text: string | undefined): number {
  if (text === undefined) return 0;
  const readAhead = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (readAhead <= maxReadAhead) return readAhead;
  const expected = `a whole number up to ${maxReadAhead}`;
  throw new ServiceError('bad_parameter', { field: 'readahead', expected, actual: text });
}

function readFilter(parameters: ReadonlyMap<string, string>): Filter {
  const prefix = 'filter.';
  const filters = [...parameters].filter(([name]) => name.startsWith(prefix));
  return compileFilter(new Map(filters.map(([name, expression]) => [name.slice(prefix.length), expression])));
}

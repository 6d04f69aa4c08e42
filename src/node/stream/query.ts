import { filterNames } from '../../domain/events/filter.js';
import { ServiceError } from '../../wire/errors/error.js';
import { nearestHint, readFlag } from '../../wire/lists/query.js';
import { decodedPart } from '../requests/decoded-part.js';

/** The parsed request for an event stream. */
export interface StreamRequest {
  /** Undefined = the default namespace. */
  readonly namespace: string | undefined;
  /** Undefined = not given. */
  readonly isAutoack: boolean | undefined;
  /** Whether the client wants change notifications besides events. */
  readonly wantsChanges: boolean;
  /** The subscription that starts with the connection; undefined if `start` frames will start it. */
  readonly start: QueryStart | undefined;
}

/** A start given in a query, in the form of a request's. */
export interface QueryStart {
  readonly name: string | undefined;
  readonly isEphemeral: boolean;
  /** Dotted key → expression. */
  readonly filter: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, unknown>>;
}

const filterPrefix = 'filter.';
/** Parsers of the option parameters; the rules of each option are checked later, as for every request. */
const options: Readonly<Record<string, (text: string, name: string) => unknown>> = {
  firstEvent: (text) => text,
  readAhead: readNumber,
  batch: (text) => readFlag(text),
  batchTimeout: (text) => text,
};
const known = [
  'namespace',
  'name',
  'ephemeral',
  'autoack',
  'changes',
  ...Object.keys(options),
  ...filterNames.map((name) => filterPrefix + name),
];
/** Parameters that have a meaning even without a value. Any other empty parameter counts as absent (docs/api.md §2). */
const flags = ['ephemeral', 'autoack', 'changes', 'batch'];
/** Parameters that FireFly's clients send and that have no meaning here (docs/api.md §2). */
const meaningless = ['changeevents'];
const pathPattern = /^(?:\/ws|\/api\/v1\/namespaces\/([^/]+)\/ws)\/?$/;

/**
 * The namespace that the path of a handshake is limited to; undefined for the path without one.
 *
 * @throws ServiceError not_found for another path
 */
export function readStreamPath(target: string): string | undefined {
  const [path = ''] = target.split('?', 1);
  const match = pathPattern.exec(path);
  if (match === null) throw new ServiceError('not_found', { what: `an event stream at ${path}` });
  return match[1] === undefined ? undefined : decodedPart(match[1]);
}

/**
 * Parses the query of a WebSocket handshake (docs/api.md §15.1).
 *
 * @throws ServiceError unknown_parameter, bad_parameter, bad_subscription
 */
export function readStreamQuery(target: string): StreamRequest {
  const question = target.indexOf('?');
  const parameters = readParameters(new URLSearchParams(question < 0 ? '' : target.slice(question)));
  const name = parameters.get('name');
  const isEphemeral = readFlag(parameters.get('ephemeral')) === true;
  const filter = filterOf(parameters);
  const own = optionsOf(parameters);
  const request = {
    namespace: parameters.get('namespace'),
    isAutoack: readFlag(parameters.get('autoack')),
    wantsChanges: readFlag(parameters.get('changes')) === true,
  };
  if (name !== undefined || isEphemeral) return { ...request, start: { name, isEphemeral, filter, options: own } };
  const [superfluous] = [...Object.keys(filter), ...Object.keys(own)];
  if (superfluous === undefined) return { ...request, start: undefined };
  const problem = `${superfluous} needs ephemeral beside it, as in /ws?ephemeral&filter.events=message_confirmed`;
  throw new ServiceError('bad_subscription', { problem });
}

function readParameters(search: URLSearchParams): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of search) {
    const plain = name.replace(/\[\]$/, '').toLowerCase();
    const match = known.find((candidate) => candidate.toLowerCase() === plain);
    if (match !== undefined) {
      if (value === '' && !flags.includes(match)) continue;
      // Ignoring one of two values might ignore the filter that matters.
      if ((parameters.get(match) ?? value) !== value) throw givenTwice(match);
      parameters.set(match, value);
    } else if (!meaningless.includes(plain)) {
      throw new ServiceError('unknown_parameter', { actual: name, hint: nearestHint(plain, known) });
    }
  }
  return parameters;
}

function givenTwice(name: string): ServiceError {
  return new ServiceError('bad_subscription', { problem: `${name} is given twice, with different values` });
}

function filterOf(parameters: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const given = [...parameters].filter(([name]) => name.startsWith(filterPrefix));
  return Object.fromEntries(given.map(([name, expression]) => [name.slice(filterPrefix.length), expression]));
}

function optionsOf(parameters: ReadonlyMap<string, string>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, readText]) => {
      const text = parameters.get(name);
      return text === undefined ? [] : [[name, readText(text, name)]];
    }),
  );
}

function readNumber(text: string, field: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ServiceError('bad_parameter', { field, expected: 'a whole number', actual: text });
}

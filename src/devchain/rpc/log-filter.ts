import { RpcError, rpcCodes } from './rpc-error.js';

/** The fields of a log that filters match. */
export interface EngineLog {
  readonly address: string;
  readonly topics: readonly string[];
}

export type Matches = (log: EngineLog) => boolean;

const maxTopics = 4;
const maxAlternatives = 1_000;

export function isLog(value: unknown): value is EngineLog {
  return typeof value === 'object' && value !== null && 'address' in value && 'topics' in value;
}

/** Compiles a filter `{address, topics}` to a predicate. Throws RpcError for anything else. */
export function matcherOf(filter: unknown): Matches {
  const { address, topics: listed }: { address?: unknown; topics?: unknown } = withoutEmptyLists(filter);
  const addresses = alternatives(address);
  const given = listed ?? [];
  if (!Array.isArray(given) || given.length > maxTopics) throw badFilter();
  const topics = given.map(alternatives);
  return (log) =>
    log.topics.length >= topics.length &&
    (addresses === undefined || addresses.has(log.address.toLowerCase())) &&
    topics.every((allowed, i) => allowed === undefined || allowed.has(log.topics[i] ?? ''));
}

/**
 * Replaces the lists of a filter that allow any value by null: an empty list, and a list of topics that contains null.
 * The engine matches nothing for the first and does not support the second. Throws RpcError if this is not a filter.
 */
export function withoutEmptyLists(filter: unknown): object {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) throw badFilter();
  const members = Object.entries(filter).map(([name, value]): [string, unknown] => {
    if (!Array.isArray(value)) return [name, value];
    if (name === 'address' && value.length === 0) return [name, null];
    return [name, name === 'topics' ? value.map(topicsOrAny) : value];
  });
  return Object.fromEntries(members);
}

function topicsOrAny(given: unknown): unknown {
  return Array.isArray(given) && (given.length === 0 || given.includes(null)) ? null : given;
}

/** The accepted values of a field; undefined = any. */
function alternatives(given: unknown): ReadonlySet<string> | undefined {
  if (given === undefined || given === null) return undefined;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length > maxAlternatives) throw badFilter();
  return new Set(
    list.map((one) => {
      if (typeof one !== 'string' || !/^0x[0-9a-f]+$/i.test(one)) throw badFilter();
      return one.toLowerCase();
    }),
  );
}

function badFilter(): RpcError {
  return new RpcError(
    rpcCodes.invalidParams,
    'A log filter has "address", an address or a list of them, and "topics", a list of at most ' +
      `${maxTopics}, each a value, a list of values, or null.`,
  );
}

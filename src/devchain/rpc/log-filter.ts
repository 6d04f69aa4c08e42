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
  if (typeof filter !== 'object' || filter === null) throw badFilter();
  const addresses = alternatives('address' in filter ? filter.address : undefined);
  const given = 'topics' in filter ? (filter.topics ?? []) : [];
  if (!Array.isArray(given) || given.length > maxTopics) throw badFilter();
  const topics = given.map(alternatives);
  return (log) =>
    log.topics.length >= topics.length &&
    (addresses === undefined || addresses.has(log.address.toLowerCase())) &&
    topics.every((allowed, i) => allowed === undefined || allowed.has(log.topics[i] ?? ''));
}

/** The accepted values of a field; undefined = any. */
function alternatives(given: unknown): ReadonlySet<string> | undefined {
  if (given === undefined || given === null) return undefined;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length > maxAlternatives) throw badFilter();
  if (list.length === 0) return undefined;
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
    'A log filter is {address, topics}: an address or several; ' +
      `at most ${maxTopics} topics, each one value, several, or null.`,
  );
}

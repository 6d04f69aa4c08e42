import { CodecError, type ContractCodec } from '../../../ports/contract-codec.js';
import type { ContractLog, LogSource } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { ListenerRow } from '../../../ports/tables/contract-tables.js';
import type { TransactionRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import { type EventFilter, maxListeners, readFilters } from '../../../domain/contracts/listener.js';
import { protocolIdOf } from '../../../domain/protocol-id.js';
import { textOf } from '../../../wire/json/json.js';
import type { JsonText } from '../../../wire/scalar.js';
import { type Applied, nothingApplied, partsOf, type SourceApplier, type SourceWrite } from '../chain/applier.js';
import { type ContractEventRows, newBlockchainEvent } from './blockchain-event.js';

export interface ListenerApplierParts {
  readonly codec: Pick<ContractCodec, 'topicOf' | 'decodeEvent'>;
  readonly clock: Clock;
  readonly random: Random;
}

export interface ListenerApplier extends SourceApplier {
  /** Returns the writes of the events of past logs for a listener that has not joined yet. */
  writesForHistory(row: ListenerRow, logs: readonly ContractLog[]): readonly SourceWrite[];
  /**
   * Returns the log sources of a listener: one for each contract that its filters name, and one for filters of any
   * contract.
   */
  readsOf(row: ListenerRow): readonly LogSource[];
}

interface ActiveListener {
  readonly row: ListenerRow;
  readonly filters: readonly (EventFilter & { readonly topic: string })[];
}

interface MatchedLog {
  readonly listener: ActiveListener;
  readonly log: ContractLog;
  readonly filter: EventFilter;
  readonly output: JsonText;
  readonly undecodable?: string;
}

const source = 'ethereum';
const maxMatches = 500;
const maxCached = 10_000;

/**
 * Records contract events for listeners (docs/api.md §20): one for each listener and log, in chain order. A log that
 * does not decode as the event that its first topic names is ignored. One that is too expensive to decode is recorded
 * without its parameters.
 */
export function createListenerApplier({ codec, clock, random }: ListenerApplierParts): ListenerApplier {
  // Cached by listener id: filters never change.
  const filtersById = new Map<string, ActiveListener['filters']>();

  function activate(row: ListenerRow): ActiveListener {
    let filters = filtersById.get(row.id);
    if (filters === undefined) {
      filters = readFilters(row.filters).map((filter) => ({ ...filter, topic: codec.topicOf(filter.entry) }));
      if (filtersById.size >= maxCached) filtersById.clear();
      filtersById.set(row.id, filters);
    }
    return { row, filters };
  }

  function match(listener: ActiveListener, log: ContractLog): MatchedLog[] {
    if (log.position.block < (listener.row.firstBlock ?? 0)) return [];
    for (const filter of listener.filters) {
      if (filter.topic !== log.topics[0] || (filter.address ?? log.address) !== log.address) continue;
      const decoded = decode(filter, log);
      if (decoded !== undefined) return [{ listener, log, filter, ...decoded }];
    }
    return [];
  }

  function decode({ entry }: EventFilter, log: ContractLog): Pick<MatchedLog, 'output' | 'undecodable'> | undefined {
    try {
      const output = codec.decodeEvent(entry, log);
      return output === undefined ? undefined : { output };
    } catch (error) {
      if (!(error instanceof CodecError)) throw error;
      return { output: textOf({}), undecodable: error.message };
    }
  }

  async function write(
    unit: Unit,
    listeners: readonly ActiveListener[],
    logs: readonly ContractLog[],
  ): Promise<Applied> {
    const byTopic = new Map<string, Set<ActiveListener>>();
    for (const listener of listeners) {
      for (const { topic } of listener.filters) byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(listener));
    }
    const matches = logs.flatMap((log) =>
      [...(byTopic.get(log.topics[0] ?? '') ?? [])].flatMap((listener) => match(listener, log)),
    );
    let events = 0;
    for (let start = 0; start < matches.length; start += maxMatches) {
      events += await writeMatches(unit, matches.slice(start, start + maxMatches), { random, created: clock.now() });
    }
    return events === 0 ? nothingApplied : { bells: ['events'], counts: { ff_blockchain_events_total: events } };
  }

  return {
    writesFor: (logs) =>
      partsOf(logs).map((part) => async (unit) => {
        const rows = await findFollowing(unit);
        return rows.length === 0 ? nothingApplied : write(unit, rows.map(activate), part);
      }),
    writesForHistory: (row, logs) => partsOf(logs).map((part) => (unit) => write(unit, [activate(row)], part)),
    readsOf: (row) => readsOf(activate(row)),
  };
}

function readsOf({ filters }: ActiveListener): readonly LogSource[] {
  const contracts = new Map<string | null, Set<string>>();
  const anywhere = new Set(filters.flatMap(({ address, topic }) => (address === null ? [topic] : [])));
  if (anywhere.size > 0) contracts.set(null, anywhere);
  for (const { address, topic } of filters) {
    // An event that is followed in any contract needs no source for this one.
    if (!anywhere.has(topic)) contracts.set(address, (contracts.get(address) ?? new Set()).add(topic));
  }
  return [...contracts].map(([address, topics]) => ({ address, topics: [...topics] }));
}

function findFollowing(unit: Unit): Promise<readonly ListenerRow[]> {
  return unit.rows('listeners', { namespace: every, state: 'following' }, { limit: maxListeners });
}

/** Writes the events that are new; returns their number. */
async function writeMatches(
  unit: Unit,
  matches: readonly MatchedLog[],
  { random, created }: { readonly random: Random; readonly created: string },
): Promise<number> {
  const known = await findKnown(unit, matches);
  const transactions = await findOwn(unit, matches);
  const rows = matches.flatMap(({ listener: { row }, log, filter, output, undecodable }): ContractEventRows[] => {
    const { namespace, id: listener, backendId, topic } = row;
    if (known.has(keyOf(listener, protocolIdOf(log.position)))) return [];
    const own = transactions.get(keyOf(namespace, log.transactionHash));
    return [
      newBlockchainEvent({
        namespace,
        id: random.uuid(),
        eventId: random.uuid(),
        source,
        name: filter.entry.name,
        signature: filter.signature,
        log,
        output,
        undecodable,
        listener,
        backendId,
        origin: listener,
        topic,
        tx: own,
        created,
      }),
    ];
  });
  await unit.insert(
    'blockchainevents',
    rows.map(({ record }) => record),
  );
  await unit.insert(
    'events',
    rows.map(({ event }) => event),
  );
  return rows.length;
}

function keyOf(first: string, second: string): string {
  return `${first} ${second}`;
}

/**
 * Returns the recorded events by listener and protocolId. One query per namespace, because the index begins with it.
 */
async function findKnown(unit: Unit, matches: readonly MatchedLog[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const namespace of new Set(matches.map(({ listener }) => listener.row.namespace))) {
    const here = matches.filter(({ listener }) => listener.row.namespace === namespace);
    const origins = [...new Set(here.map(({ listener }) => listener.row.id))];
    const places = [...new Set(here.map(({ log }) => protocolIdOf(log.position)))];
    const rows = await unit.rows(
      'blockchainevents',
      { namespace, origin: origins, protocolId: places },
      { limit: origins.length * places.length },
    );
    for (const { origin, protocolId } of rows) known.add(keyOf(origin, protocolId));
  }
  return known;
}

/** Returns the transactions of this node, by namespace and the chain's hash of their calls. */
async function findOwn(
  unit: Unit,
  matches: readonly MatchedLog[],
): Promise<ReadonlyMap<string, Pick<TransactionRow, 'type' | 'id'>>> {
  const hashes = [...new Set(matches.map(({ log }) => log.transactionHash))];
  const calls = await unit.rows('operations', { namespace: every, transactionHash: hashes }, { limit: hashes.length });
  if (calls.length === 0) return new Map();
  const ids = [...new Set(calls.map(({ tx }) => tx))];
  const rows = await unit.rows('transactions', { namespace: every, id: ids }, { limit: hashes.length });
  const types = new Map(rows.map(({ namespace, id, type }) => [keyOf(namespace, id), type]));
  return new Map(
    calls.flatMap(({ namespace, tx: id, transactionHash }) => {
      const type = types.get(keyOf(namespace, id));
      return type === undefined ? [] : [[keyOf(namespace, transactionHash ?? ''), { type, id }]];
    }),
  );
}

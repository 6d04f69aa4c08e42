import { CodecError, type ContractCodec } from '../../ports/contract-codec.js';
import type { ContractLog, LogSource } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import { everyNamespace, type Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { ListenerRow } from '../../ports/contract-tables.js';
import type { TransactionRow } from '../../ports/tables.js';
import { type Heeded, maxListeners, readFilters } from '../../domain/listener.js';
import { protocolIdOf } from '../../domain/protocol-id.js';
import { among, equal, oldestFirst } from '../../wire/query.js';
import { textOf } from '../../wire/json.js';
import type { JsonText } from '../../wire/scalar.js';
import { type Applied, nothingApplied, type SourceApplier } from './applier.js';
import { type HeardRows, newBlockchainEvent } from './blockchain-event.js';

export interface ListenerApplierParts {
  readonly codec: Pick<ContractCodec, 'topicOf' | 'decodeEvent'>;
  readonly clock: Clock;
  readonly random: Random;
}

export interface ListenerApplier extends SourceApplier {
  /** Writes the events of past logs for a listener that has not joined yet. Idempotent. */
  applyHistory(unit: Unit, row: ListenerRow, logs: readonly ContractLog[]): Promise<Applied>;
  /**
   * Returns the log sources of a listener: one for each contract that its filters name, and one for filters of any
   * contract.
   */
  readsOf(row: ListenerRow): readonly LogSource[];
}

/** A listener with its parsed filters. */
interface Ear {
  readonly row: ListenerRow;
  readonly heeds: readonly (Heeded & { readonly topic: string })[];
}

/** A log that matches a listener's filter. */
interface Heard {
  readonly ear: Ear;
  readonly log: ContractLog;
  readonly heeded: Heeded;
  readonly output: JsonText;
  /** The reason why its parameters were not decoded. */
  readonly undecodable?: string;
}

const source = 'ethereum';
const maxHeard = 500;
const maxEars = 10_000;

/**
 * Records contract events for listeners (docs/api.md §20): one for each listener and log, in chain order. A log that
 * does not decode as the event that its first topic names is ignored. One that is too expensive to decode is recorded
 * without its parameters.
 */
export function createListenerApplier({ codec, clock, random }: ListenerApplierParts): ListenerApplier {
  // Cached by listener id: filters never change.
  const ears = new Map<string, Ear['heeds']>();

  function earOf(row: ListenerRow): Ear {
    let heeds = ears.get(row.id);
    if (heeds === undefined) {
      heeds = readFilters(row.filters).map((heeded) => ({ ...heeded, topic: codec.topicOf(heeded.entry) }));
      if (ears.size >= maxEars) ears.clear();
      ears.set(row.id, heeds);
    }
    return { row, heeds };
  }

  function hear(ear: Ear, log: ContractLog): Heard[] {
    if (log.position.block < (ear.row.firstBlock ?? 0)) return [];
    for (const heeded of ear.heeds) {
      if (heeded.topic !== log.topics[0] || (heeded.address ?? log.address) !== log.address) continue;
      const said = decode(heeded, log);
      if (said !== undefined) return [{ ear, log, heeded, ...said }];
    }
    return [];
  }

  function decode({ entry }: Heeded, log: ContractLog): Pick<Heard, 'output' | 'undecodable'> | undefined {
    try {
      const output = codec.decodeEvent(entry, log);
      return output === undefined ? undefined : { output };
    } catch (error) {
      if (!(error instanceof CodecError)) throw error;
      return { output: textOf({}), undecodable: error.message };
    }
  }

  async function write(unit: Unit, listening: readonly Ear[], logs: readonly ContractLog[]): Promise<Applied> {
    const byTopic = new Map<string, Set<Ear>>();
    for (const ear of listening) {
      for (const { topic } of ear.heeds) byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(ear));
    }
    const heard = logs.flatMap((log) => [...(byTopic.get(log.topics[0] ?? '') ?? [])].flatMap((ear) => hear(ear, log)));
    let events = 0;
    for (let start = 0; start < heard.length; start += maxHeard) {
      events += await writeHeard(unit, heard.slice(start, start + maxHeard), { random, created: clock.now() });
    }
    return events === 0 ? nothingApplied : { bells: ['events'], counts: { ff_blockchain_events_total: events } };
  }

  return {
    async apply(unit, logs) {
      const rows = await findFollowing(unit);
      return rows.length === 0 ? nothingApplied : write(unit, rows.map(earOf), logs);
    },
    applyHistory: (unit, row, logs) => write(unit, [earOf(row)], logs),
    readsOf: (row) => readsOf(earOf(row)),
  };
}

function readsOf({ heeds }: Ear): readonly LogSource[] {
  const contracts = new Map<string | null, Set<string>>();
  const anywhere = new Set(heeds.flatMap(({ address, topic }) => (address === null ? [topic] : [])));
  if (anywhere.size > 0) contracts.set(null, anywhere);
  for (const { address, topic } of heeds) {
    // An event that is followed in any contract needs no source for this one.
    if (!anywhere.has(topic)) contracts.set(address, (contracts.get(address) ?? new Set()).add(topic));
  }
  return [...contracts].map(([address, topics]) => ({ address, topics: [...topics] }));
}

function findFollowing(unit: Unit): Promise<readonly ListenerRow[]> {
  const where = [equal('state', 'following')];
  return unit.find('listeners', { namespace: everyNamespace, where, sort: oldestFirst, limit: maxListeners });
}

/** Writes the events that are new; returns their number. */
async function writeHeard(
  unit: Unit,
  heard: readonly Heard[],
  { random, created }: { readonly random: Random; readonly created: string },
): Promise<number> {
  const known = await findKnown(unit, heard);
  const transactions = await findOwn(unit, heard);
  const rows = heard.flatMap(({ ear: { row }, log, heeded, output, undecodable }): HeardRows[] => {
    const { namespace, id: listener, backendId, topic } = row;
    if (known.has(keyOf(listener, protocolIdOf(log.position)))) return [];
    const own = transactions.get(keyOf(namespace, log.transactionHash));
    return [
      newBlockchainEvent({
        namespace,
        id: random.uuid(),
        eventId: random.uuid(),
        source,
        name: heeded.entry.name,
        signature: heeded.signature,
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
async function findKnown(unit: Unit, heard: readonly Heard[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const namespace of new Set(heard.map(({ ear }) => ear.row.namespace))) {
    const here = heard.filter(({ ear }) => ear.row.namespace === namespace);
    const origins = [...new Set(here.map(({ ear }) => ear.row.id))];
    const places = [...new Set(here.map(({ log }) => protocolIdOf(log.position)))];
    const where = [among('origin', origins), among('protocolId', places)];
    const limit = origins.length * places.length;
    const rows = await unit.find('blockchainevents', { namespace, where, sort: oldestFirst, limit });
    for (const { origin, protocolId } of rows) known.add(keyOf(origin, protocolId));
  }
  return known;
}

/** Returns the transactions of this node, by namespace and the chain's hash of their calls. */
async function findOwn(
  unit: Unit,
  heard: readonly Heard[],
): Promise<ReadonlyMap<string, Pick<TransactionRow, 'type' | 'id'>>> {
  const hashes = [...new Set(heard.map(({ log }) => log.transactionHash))];
  const everywhere = { namespace: everyNamespace, sort: oldestFirst, limit: hashes.length } as const;
  const calls = await unit.find('operations', { ...everywhere, where: [among('transactionHash', hashes)] });
  if (calls.length === 0) return new Map();
  const ids = [...new Set(calls.map(({ tx }) => tx))];
  const rows = await unit.find('transactions', { ...everywhere, where: [among('id', ids)] });
  const types = new Map(rows.map(({ namespace, id, type }) => [keyOf(namespace, id), type]));
  return new Map(
    calls.flatMap(({ namespace, tx: id, transactionHash }) => {
      const type = types.get(keyOf(namespace, id));
      return type === undefined ? [] : [[keyOf(namespace, transactionHash ?? ''), { type, id }]];
    }),
  );
}

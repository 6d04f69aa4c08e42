import { datatypeTag, readDatatypeDefinition, type Reading } from '../../domain/definition.js';
import { definitionEventTopic, systemNamespace } from '../../domain/identity.js';
import { assert } from '../../domain/invariant.js';
import type { Verdict } from '../../domain/verdict.js';
import { everyNamespace, type Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { MessageRow, NewRow } from '../../ports/tables.js';
import type { DatatypeDefinition } from '../../wire/datatype.js';
import { isServiceError, ServiceError } from '../../wire/error.js';
import { equal, oldestFirst } from '../../wire/query.js';
import { noValue } from '../../wire/scalar.js';
import { findExact, referenceKey } from '../exact.js';
import type { FactParts } from './define/datatype.js';

/** A decided message, perhaps a definition. */
export interface Decided {
  readonly message: MessageRow;
  /** Sequence of its first pin. */
  readonly place?: number | undefined;
  readonly verdict: Verdict;
}

/** What a decided definition brings beside its own verdict (S §8.8, §10.2). */
export interface Defined {
  /** Id of what it defines. */
  readonly correlator: string;
  /** Inserted before the event of the message. */
  readonly events: readonly NewRow<'events'>[];
}

/** Why a definition is refused at its place, or what is to be noted once it is confirmed. */
export type Judged =
  { readonly refusal: string; readonly note?: undefined } | { readonly refusal?: undefined; readonly note: () => void };

/**
 * Judges a definition whose turn it is (S §8.8): all earlier ones of its namespace are decided, since they share its one
 * topic, so "new" means the same everywhere.
 */
export async function judgeDefinition(
  parts: FactParts,
  message: MessageRow,
  place: number | undefined,
): Promise<Judged> {
  assert(place !== undefined, 'a definition is pinned');
  if (message.tag !== datatypeTag) {
    return { refusal: new ServiceError('unknown_definition', { tag: message.tag ?? '' }).message };
  }
  const { record, refusal } = await readDatatype(parts.unit, message);
  if (record === undefined) return { refusal };
  return judgeDatatype(parts, record, place);
}

async function judgeDatatype(
  { datatypes, known }: FactParts,
  record: DatatypeDefinition,
  place: number,
): Promise<Judged> {
  const { namespace, id, name, version, value } = record;
  try {
    datatypes.compile(value);
  } catch (error) {
    if (!isServiceError(error, 'bad_schema')) throw error;
    return { refusal: new ServiceError('definition_schema', { problem: String(error.fields['problem']) }).message };
  }
  if ((await known.find(namespace, record, undefined)) !== undefined) {
    return { refusal: new ServiceError('definition_name_taken', { what: `The datatype ${name}@${version}` }).message };
  }
  if (await known.hasId(namespace, id)) return { refusal: new ServiceError('definition_id_taken', { id }).message };
  return { note: () => known.add(record, place) };
}

/**
 * Writes what the definitions among the decided messages define, in the unit that decides them. Resolves with what is
 * to be told of each of them, by its message's sequence.
 */
export async function applyDefinitions(
  unit: Unit,
  decided: readonly Decided[],
  { now, random }: { readonly now: string; readonly random: Random },
): Promise<ReadonlyMap<number, Defined>> {
  const defined = new Map<number, Defined>();
  for (const { message, place, verdict } of decided) {
    if (message.type !== 'definition' || message.tag !== datatypeTag) continue;
    const { record } = await readDatatype(unit, message);
    if (record === undefined) continue;
    const isConfirmed = verdict.state === 'confirmed';
    if (isConfirmed) {
      assert(place !== undefined, 'a definition is pinned');
      await insertDatatype(unit, { record, message, created: now, pin: place });
    }
    const event = newDefinitionEvent(record, { type: 'datatype_confirmed', id: random.uuid(), created: now });
    defined.set(message.sequence, { correlator: record.id, events: isConfirmed ? [event] : [] });
  }
  return defined;
}

async function insertDatatype(
  unit: Unit,
  row: {
    readonly record: DatatypeDefinition;
    readonly message: MessageRow;
    readonly created: string;
    readonly pin: number;
  },
): Promise<void> {
  const { record, message, created, pin } = row;
  const { namespace, id, name, version, hash, value } = record;
  await unit.insert('datatypes', [{ namespace, id, message: message.id, name, version, hash, value, created, pin }]);
  // Unpinned messages that name it have waited for it alone (S §8.10).
  const where = [equal('on', `datatype:${namespace}/${name}/${version}`)];
  const query = { namespace: everyNamespace, where, sort: oldestFirst, limit: maxWaiting } as const;
  const waits = await unit.find('waits', query);
  await unit.put(
    'due',
    waits.map(({ context }) => ({ namespace: systemNamespace, context })),
  );
}

const maxWaiting = 100_000;

function newDefinitionEvent(
  { namespace, id: reference }: { readonly namespace: string; readonly id: string },
  { type, id, created }: Pick<NewRow<'events'>, 'type' | 'id' | 'created'>,
): NewRow<'events'> {
  const [topic, topics] = [definitionEventTopic, [definitionEventTopic]];
  return { namespace, id, type, reference, referenceHash: '', correlator: null, tx: null, topic, topics, created };
}

/** The record that a definition carries in its one item. */
async function readDatatype(unit: Unit, message: MessageRow): Promise<Reading<DatatypeDefinition>> {
  const [reference, ...others] = message.data;
  const rows = await findExact(unit, 'data', { namespace: everyNamespace }, message.data);
  const item = reference === undefined ? undefined : rows.get(referenceKey(reference));
  if (item === undefined || others.length > 0 || item.value === noValue) {
    return {
      refusal: new ServiceError('definition_payload', { problem: 'it must have one item, with a value' }).message,
    };
  }
  return readDatatypeDefinition(message.topics, item.value);
}

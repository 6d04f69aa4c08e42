import type { Reading } from '../../../domain/definition.js';
import { assert } from '../../../domain/invariant.js';
import type { Unjudged } from '../../judging/unit-judge.js';
import type { Unit } from '../../../ports/database.js';
import type { MessageRow } from '../../../ports/tables/tables.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { EventType } from '../../../wire/events/event.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { Definition, DefinitionRule, FactParts, Judged } from './rule.js';

export type SharedTable = 'interfaces' | 'apis';

interface Shareable {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
}

export interface SharedColumns {
  readonly message: string;
  readonly networkName: string;
  readonly published: true;
  readonly pin: number;
}

export type ReadParts = Pick<FactParts, 'rules' | 'unitJudge'>;

export interface Sharing<Record extends Shareable> {
  readonly table: SharedTable;
  readonly event: EventType;
  readonly read: (topics: readonly string[], text: JsonText, parts: ReadParts) => Reading<Record> | Unjudged;
  readonly judge: (parts: FactParts, record: Record, definition: Pick<Definition, 'message'>) => Promise<Judged>;
  /** Changes an already published record, if the definition is such a change; returns whether it was. */
  readonly change?: (unit: Unit, record: Record, columns: SharedColumns) => Promise<boolean>;
  /** Inserts an arriving record beside the local ones. */
  readonly insert: (unit: Unit, record: Record, columns: SharedColumns, message: MessageRow) => Promise<void>;
}

/**
 * Creates the rule of a definition that any member may send, where the first definition of a name wins
 * (docs/protocol.md §9.1).
 */
export function createSharingRule<Record extends Shareable>(sharing: Sharing<Record>): DefinitionRule {
  const { table, event, read, judge, change, insert } = sharing;

  async function share(unit: Unit, record: Record, { message, place: pin }: Definition, isOwn: boolean): Promise<void> {
    const { id, namespace, name: networkName } = record;
    const columns = { message: message.id, networkName, published: true, pin } as const;
    // A record that a rebuild has made local has the message of its last definition, and its first one comes first.
    const isSent = isOwn && (await unit.update(table, { namespace, id, published: false }, columns)) > 0;
    // A record that was sent from here may change too: a record that it refers to may have another id here by now.
    const isChanged = (await change?.(unit, record, columns)) === true;
    if (isSent || isChanged) return;
    await insert(unit, record, columns, message);
  }

  /** Makes a rejected record local again, so that it may be published under another name. */
  async function takeBack(unit: Unit, { id, namespace }: Record, message: string): Promise<void> {
    await unit.update(table, { namespace, id, message, published: false }, { message: null });
  }

  return {
    async judge(parts, definition) {
      const reading = read(definition.message.topics, definition.text, parts);
      if ('waits' in reading) return reading;
      if (reading.refusal !== undefined) return { refusal: reading.refusal };
      return judge(parts, reading.record, definition);
    },

    async apply(unit, definition) {
      const { message, text, own } = definition;
      const reading = read(message.topics, text, definition);
      assert(!('waits' in reading), 'what is decided was judged');
      const { record } = reading;
      if (record === undefined) return undefined;
      const { id, namespace } = record;
      // Another member may use the ids of this node's message.
      const isOwn = own.keys.includes(message.key);
      return {
        id,
        namespace,
        write: () => share(unit, record, definition, isOwn),
        drop: () => (isOwn ? takeBack(unit, record, message.id) : Promise.resolve()),
      };
    },

    event,
  };
}

/** Names that must be unique among published records, as columns of rows and as keys of this step. */
export interface SharedNames {
  readonly table: SharedTable;
  readonly namespace: string;
  readonly id: string;
  readonly idFact: string;
  readonly nameFact: string;
  readonly named: { readonly networkName: string; readonly version?: string };
  readonly what: string;
}

/**
 * Returns why the names of a record are refused, or undefined. Only published records count, because they are the same
 * on every node.
 */
export async function refusalOfNames({ unit, noted }: FactParts, names: SharedNames): Promise<string | undefined> {
  const { table, namespace, id, idFact, nameFact, named, what } = names;
  const isShared = (columns: Partial<SharedNames['named'] & Pick<SharedNames, 'id'>>): Promise<boolean> =>
    unit.has(table, { namespace, ...columns, published: true });
  if (noted.has(nameFact) || (await isShared(named))) {
    return new ServiceError('definition_name_taken', { what }).message;
  }
  const isTaken = noted.has(idFact) || (await isShared({ id }));
  return isTaken ? new ServiceError('definition_id_taken', { id }).message : undefined;
}

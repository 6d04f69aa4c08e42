import { readDatatypeDefinition } from '../../../domain/definition.js';
import type { Unit } from '../../../ports/database.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import type { DatatypeDefinition } from '../../../wire/data/datatype.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { findWaiting, markDue } from '../../state/messages/contexts.js';
import type { DefinitionRule, FactParts, Judged } from './rule.js';

/**
 * `svc_define_datatype`: any member may define one; the first definition of a name and version wins (docs/protocol.md
 * §9.2).
 */
export const datatypeRule: DefinitionRule = {
  async judge(parts, { message, text, place }) {
    const { record, refusal } = readDatatypeDefinition(message.topics, text);
    return record === undefined ? { refusal } : judge(parts, record, place);
  },

  async apply(unit, { message, text, place: pin, now: created }) {
    const { record } = readDatatypeDefinition(message.topics, text);
    if (record === undefined) return undefined;
    const { id, namespace, name, version, hash, value } = record;
    const row = { namespace, id, message: message.id, name, version, hash, value, created, pin };
    return { id, namespace, write: () => insert(unit, row) };
  },

  event: 'datatype_confirmed',
};

async function judge(
  { unitJudge, rules, known }: FactParts,
  record: DatatypeDefinition,
  place: number,
): Promise<Judged> {
  const { namespace, id, name, version, value: schema } = record;
  const subject = `the schema of the datatype ${name}@${version} in ${namespace}`;
  const found = unitJudge.answer('schema', { schema, rules: rules.validation }, subject);
  if ('waits' in found) return found;
  const { problem } = found.answer;
  if (problem !== undefined) return { refusal: new ServiceError('definition_schema', { problem }).message };
  if ((await known.find(namespace, record, undefined)) !== undefined) {
    return { refusal: new ServiceError('definition_name_taken', { what: `The datatype ${name}@${version}` }).message };
  }
  if (await known.hasId(namespace, id)) return { refusal: new ServiceError('definition_id_taken', { id }).message };
  return { note: () => known.add(record, place) };
}

/** Inserts a datatype and marks the unpinned messages that wait for it as due (docs/protocol.md §11.5). */
async function insert(unit: Unit, row: NewRow<'datatypes'>): Promise<void> {
  await unit.insert('datatypes', [row]);
  await markDue(unit, await findWaiting(unit, [`datatype:${row.namespace}/${row.name}/${row.version}`]));
}

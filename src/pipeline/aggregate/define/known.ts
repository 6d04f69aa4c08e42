import type { Unit } from '../../../ports/database.js';
import type { DatatypeRow } from '../../../ports/tables/messaging-tables.js';
import type { DatatypeReference } from '../../../wire/data/data.js';
import type { DatatypeDefinition } from '../../../wire/data/datatype.js';

export type KnownDatatype = Pick<DatatypeRow, 'id' | 'name' | 'version' | 'value' | 'pin'>;

/** Confirmed datatypes, including those of the current step that are not written yet. */
export interface KnownDatatypes {
  /** Finds a datatype; with a place, only one whose definition is pinned before that place. */
  find(namespace: string, name: DatatypeReference, place: number | undefined): Promise<KnownDatatype | undefined>;
  /** Whether an id is taken in a namespace; other namespaces are ordered separately. */
  hasId(namespace: string, id: string): Promise<boolean>;
  add(definition: DatatypeDefinition, pin: number): void;
}

export function createKnownDatatypes(unit: Unit): KnownDatatypes {
  const added = new Map<string, KnownDatatype>();
  const addedIds = new Set<string>();
  return {
    async find(namespace, { name, version }, place) {
      const stored = await unit.first('datatypes', { namespace, name, version });
      const row = stored ?? added.get(keyOf(namespace, name, version));
      return row === undefined || (place !== undefined && row.pin >= place) ? undefined : row;
    },
    async hasId(namespace, id) {
      if (addedIds.has(`${namespace}/${id}`)) return true;
      return unit.has('datatypes', { namespace, id });
    },
    add({ namespace, id, name, version, value }, pin) {
      added.set(keyOf(namespace, name, version), { id, name, version, value, pin });
      addedIds.add(`${namespace}/${id}`);
    },
  };
}

function keyOf(namespace: string, name: string, version: string): string {
  return `${namespace}/${name}/${version}`;
}

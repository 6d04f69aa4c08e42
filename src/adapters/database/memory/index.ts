import type { Condition } from '../../../wire/lists/query.js';
import { type Columns, sequenceOf } from '../statements/selection.js';
import type { Table, UniqueKey } from '../tables/tables.js';

/** An index from values to sequences: for every lookup column and every unique key. */
export interface MemoryIndex {
  /** Removes a row from the index, except where the next row at its sequence, if any, has the same values. */
  forget(row: Columns, next: Columns | undefined): void;

  /** Adds a row to the index, except where the previous row at its sequence, if any, had the same values. */
  remember(row: Columns, before: Columns | undefined): void;

  /**
   * Returns the smallest set of sequences that the index has for one of these conditions, or undefined if each has more
   * than `most`.
   */
  sequences(where: readonly Condition[], most: number): number[] | undefined;

  /** Returns the sequence of the row with these values in the unique key with this number. */
  owner(key: number, text: string): number | undefined;
}

/** The sequences of the rows with one value. Mostly there is one row, for which a set would cost more than the row. */
type Same = number | Set<number>;

export function createMemoryIndex({ lookups, uniqueKeys }: Table): MemoryIndex {
  const columns = lookups.map((name) => ({ name, index: new Map<unknown, Same>() }));
  const owners = uniqueKeys.map((key) => ({ key, index: new Map<string, number>() }));

  /** Returns the sequences for a condition that names values, null among them, or any value. */
  function found(condition: Condition): readonly Same[] | undefined {
    if (!('field' in condition)) return undefined;
    const index = columns.find(({ name }) => name === condition.field)?.index;
    if (index !== undefined && condition.is === 'notNull')
      return [...index].filter(([value]) => value !== null).map(([, same]) => same);
    const values = namedValues(condition);
    if (values === undefined) return undefined;
    if (condition.field === 'sequence') return [...values].map(Number);
    return index && [...values].map((value) => index.get(value)).filter((part) => part !== undefined);
  }

  return {
    forget(row, next) {
      const sequence = sequenceOf(row);
      for (const { name, index } of columns) {
        const value = row[name];
        if (value === next?.[name]) continue;
        const same = index.get(value);
        if (typeof same === 'object') same.delete(sequence);
        if (same === sequence || (typeof same === 'object' && same.size === 0)) index.delete(value);
      }
      for (const { key, index } of owners) {
        const text = isSameIn(key, row, next) ? undefined : keyText(key, row);
        if (text !== undefined) index.delete(text);
      }
    },

    remember(row, before) {
      const sequence = sequenceOf(row);
      for (const { name, index } of columns) {
        const value = row[name];
        if (value === before?.[name]) continue;
        const same = index.get(value);
        if (same === undefined) index.set(value, sequence);
        else if (typeof same === 'object') same.add(sequence);
        else if (same !== sequence) index.set(value, new Set([same, sequence]));
      }
      for (const { key, index } of owners) {
        const text = isSameIn(key, row, before) ? undefined : keyText(key, row);
        if (text !== undefined) index.set(text, sequence);
      }
    },

    sequences(where, most) {
      let best: readonly Same[] | undefined;
      for (const condition of where) {
        const parts = found(condition);
        if (parts && (best === undefined || sizeOf(parts) < sizeOf(best))) best = parts;
      }
      return best && sizeOf(best) <= most
        ? best.flatMap((part) => (typeof part === 'object' ? [...part] : part))
        : undefined;
    },

    owner: (key, text) => owners[key]?.index.get(text),
  };
}

/**
 * Returns the values of a row in a unique key as one text, or undefined if one of them is null, so that the row is not
 * in the key.
 */
export function keyText(key: UniqueKey, row: Columns): string | undefined {
  let text = '';
  for (const column of key) {
    const value = row[column];
    if (value === null) return undefined;
    const part = typeof value === 'number' ? value.toString() : (value as string); // no key has other kinds
    text += `${part.length}:${part}`;
  }
  return text;
}

/** Whether two rows have the same values in a unique key. */
function isSameIn(key: UniqueKey, row: Columns, other: Columns | undefined): boolean {
  if (other === undefined) return false;
  for (const column of key) if (row[column] !== other[column]) return false;
  return true;
}

function namedValues(condition: Condition): ReadonlySet<unknown> | undefined {
  if (condition.is === 'equal') return new Set([condition.value]);
  if (condition.is === 'in') return new Set(condition.values);
  return condition.is === 'null' ? new Set([null]) : undefined;
}

function sizeOf(parts: readonly Same[]): number {
  return parts.reduce<number>((sum, part) => sum + (typeof part === 'object' ? part.size : 1), 0);
}

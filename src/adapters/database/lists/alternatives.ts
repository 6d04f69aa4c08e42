import type { ListQuery } from '../../../ports/database.js';
import type { TableName, Tables } from '../../../ports/tables/tables.js';
import { textOf } from '../../../wire/json/json.js';
import { comparerOf } from '../../../wire/lists/condition.js';
import { type Condition, equal, totalOrder, undecidedRank } from '../../../wire/lists/query.js';

type Where = readonly Condition[];

/** A text that JSON contains unchanged, with any engine. */
const plainText = /^[\w./:-]+$/;
/** A list with more values is read as a whole. */
const maxValues = 4;
/** The columns whose index divides a list (migration 11). For messages, only decided ones are in it. */
const indexed: Readonly<Partial<Record<TableName, readonly string[]>>> = {
  messages: ['author', 'key', 'topics'],
  events: ['topics'],
};

/**
 * Divides conditions into parts that together select the same rows, none of them twice, each in the order of an index:
 * each of a few values of a column, such as the two spellings of an author; arrays with one element, and those with
 * several; decided messages, and undecided ones. Undefined if nothing can be divided. A row may move from one part to
 * another, so all parts must be read at one moment.
 */
export function alternativesOf(table: TableName, where: Where): readonly Where[] | undefined {
  const columns = indexed[table] ?? [];
  const isServed = (condition: Condition): boolean => 'field' in condition && columns.includes(condition.field);
  const divided = dividedAt(where, isServed, dividedArrays) ?? dividedAt(where, isServed, dividedValues) ?? [where];
  const parts = table === 'messages' ? divided.flatMap((part) => dividedByVerdict(part, isServed)) : divided;
  return parts.length > 1 ? parts : undefined;
}

/** Divides at the first condition that can be divided: an index serves one, and the others are tested on its rows. */
function dividedAt(
  where: Where,
  isServed: (condition: Condition) => boolean,
  divide: (condition: Condition) => readonly Where[] | undefined,
): readonly Where[] | undefined {
  for (const [place, condition] of where.entries()) {
    const parts = isServed(condition) ? divide(condition) : undefined;
    if (parts !== undefined) return parts.map((part) => where.toSpliced(place, 1, ...part));
  }
  return undefined;
}

function dividedValues(condition: Condition): readonly Where[] | undefined {
  if (condition.is !== 'in') return undefined;
  const values = [...new Set(condition.values)];
  if (values.length < 2 || values.length > maxValues) return undefined;
  return values.map((value) => [equal(condition.field, value)]);
}

function dividedArrays(condition: Condition): readonly Where[] | undefined {
  if (condition.is !== 'has' || condition.of.is !== 'equal') return undefined;
  const { field, of } = condition;
  if (of.field !== 'value' || typeof of.value !== 'string' || !plainText.test(of.value)) return undefined;
  return [[{ field, is: 'written', of: equal('value', textOf([of.value])) }], [{ field, is: 'several' }, condition]];
}

/** Few messages are undecided, and the index of the general order has them in one place. */
function dividedByVerdict(where: Where, isServed: (condition: Condition) => boolean): readonly Where[] {
  const isEqual = (condition: Condition): boolean =>
    condition.is === 'equal' || (condition.is === 'written' && condition.of.is === 'equal');
  if (!where.some((condition) => isServed(condition) && isEqual(condition))) return [where];
  return [
    [...where, { field: 'rank', is: 'below', value: undecidedRank }],
    [...where, { field: 'rank', is: 'atLeast', value: undecidedRank }],
  ];
}

/** The page of a query from the first rows of several queries that share no row, each in the same order. */
export function mergedPage<T extends TableName>(
  { sort, skip = 0, limit }: Pick<ListQuery, 'sort' | 'skip' | 'limit'>,
  parts: readonly (readonly Tables[T][])[],
): readonly Tables[T][] {
  const order = comparerOf(totalOrder(sort));
  return parts
    .flat()
    .sort((a, b) => order({ ...a }, { ...b }))
    .slice(skip, skip + limit);
}

import { ServiceError } from '../errors/error.js';
import { type Field, type Fields, isArrayType } from './field.js';
import { readFilter } from './filter.js';
import { lastOf, nearestHint, type Page, type Query, readFlag, readPage, type Sort } from './query.js';

/** A parsed list request (docs/api.md §8). */
export type ListQuery = Page & Pick<Query, 'where' | 'sort'>;

/** More would nest a statement deeper than databases accept. */
const maxFilterValues = 250;
const maxSortFields = 16;

/**
 * Reads the filters and controls of a list from parameters with known names. Without `sort` the list has its own order,
 * which `ascending` reverses.
 *
 * @param order of the collection, newest first @throws ServiceError bad_parameter, partial_match, modifier_refused,
 * unknown_parameter for a field to sort by, too_many, limit_too_large, skip_too_large
 */
export function readListQuery(
  parameters: ReadonlyMap<string, readonly string[]>,
  fields: Fields,
  order: readonly Sort[],
): ListQuery {
  return {
    ...readPage(lastOf(parameters)),
    where: readWhere(parameters, fields),
    sort: readSort(parameters, fields, order),
  };
}

function readWhere(parameters: ReadonlyMap<string, readonly string[]>, fields: Fields): Query['where'] {
  const filters = Object.entries(fields).flatMap(([name, field]) => {
    const values = parameters.get(name);
    return values === undefined ? [] : [{ name, field, values }];
  });
  const actual = filters.reduce((sum, { values }) => sum + values.length, 0);
  if (actual > maxFilterValues) throw new ServiceError('too_many', { field: 'A filter', max: maxFilterValues, actual });
  return filters.map(({ name, field, values }) => readFilter(name, field, values));
}

function readSort(
  parameters: ReadonlyMap<string, readonly string[]>,
  fields: Fields,
  order: readonly Sort[],
): readonly Sort[] {
  const flag = (name: string): boolean => readFlag(parameters.get(name)?.at(-1)) ?? false;
  const [isAscending, isDescending] = [flag('ascending'), flag('descending')];
  if (isAscending && isDescending) {
    throw new ServiceError('bad_parameter', { field: 'descending', expected: 'left out beside ascending', actual: '' });
  }
  const words = (parameters.get('sort') ?? []).flatMap((value) => value.split(',')).filter((word) => word !== '');
  if (words.length === 0) return isAscending ? order.map(turned) : order;
  if (words.length > maxSortFields) {
    throw new ServiceError('too_many', { field: 'sort', max: maxSortFields, actual: words.length });
  }
  return words.map((word) => sortOf(word.trim(), fields, isDescending));
}

function turned({ field, descending = false }: Sort): Sort {
  return { field, descending: !descending };
}

function sortOf(word: string, fields: Fields, isDescending: boolean): Sort {
  const hasMinus = word.startsWith('-');
  const name = (hasMinus ? word.slice(1) : word).toLowerCase();
  const sortable = Object.entries(fields).filter(([, field]) => isSortable(field));
  const field = sortable.find(([each]) => each === name)?.[1];
  if (field === undefined || !('column' in field)) {
    const hint = nearestHint(
      name,
      sortable.map(([each]) => each),
    );
    throw new ServiceError('unknown_parameter', { actual: `sort=${word}`, hint });
  }
  const asNumber = field.type === 'amount';
  return { field: field.column, descending: hasMinus || isDescending, ...(asNumber && { asNumber }) };
}

/** Whether a list can be sorted by the field; arrays, objects and constants have no order. */
function isSortable(field: Field): boolean {
  return 'column' in field && !isArrayType(field.type) && field.type !== 'json';
}

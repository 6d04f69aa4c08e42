import { type CollectionName, fieldsOf } from '../../../src/wire/lists/fields.js';
import type { Parameters } from '../../../src/client/page.js';
import { momentOf, type Place } from '../url/place.js';

/** Splits a filter of the URL into a query parameter; undefined if it has no field name. */
export function parameterOf(filter: string): readonly [name: string, value: string] | undefined {
  const at = filter.indexOf('=');
  return at <= 0 ? undefined : [filter.slice(0, at), filter.slice(at + 1)];
}

/** The reason why a filter does not apply to a collection; undefined if it does. */
export function judgeFilter(collection: CollectionName, filter: string): string | undefined {
  const [name] = parameterOf(filter) ?? [];
  const known = Object.keys(fieldsOf(collection));
  if (name === undefined) return `Write a filter as field=value, such as ${known[0]}=….`;
  return known.includes(name) ? undefined : `No field named "${name}". Fields: ${known.join(', ')}.`;
}

/** The filters and the time range of the URL as query parameters. Invalid filters are left out. */
export function parametersOf(collection: CollectionName, place: Place, nowMs: number, time = 'created'): Parameters {
  const filters = place.filters.filter((filter) => judgeFilter(collection, filter) === undefined).map(parameterOf);
  return [...filters.filter((each) => each !== undefined), ...rangeOf(place, nowMs, time)];
}

/** The time range of the URL as query parameters, combined with AND. */
export function rangeOf({ from, to }: Pick<Place, 'from' | 'to'>, nowMs: number, time = 'created'): Parameters {
  return [
    ...(from === undefined ? [] : [[time, `[>=${momentOf(from, nowMs)}`] as const]),
    ...(to === undefined ? [] : [[time, `[<=${momentOf(to, nowMs)}`] as const]),
  ];
}

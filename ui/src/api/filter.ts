import { type CollectionName, fieldsOf } from '../../../src/wire/lists/fields.js';
import type { Parameters } from '../../../src/client/page.js';
import { momentOf, type Place } from '../url/place.js';

/** A filter of the URL as a parameter of a list; undefined when it is none. */
export function parameterOf(filter: string): readonly [name: string, value: string] | undefined {
  const at = filter.indexOf('=');
  return at <= 0 ? undefined : [filter.slice(0, at), filter.slice(at + 1)];
}

/** Why a collection cannot be filtered like this; undefined when it can. */
export function judgeFilter(collection: CollectionName, filter: string): string | undefined {
  const [name] = parameterOf(filter) ?? [];
  const known = Object.keys(fieldsOf(collection));
  if (name === undefined) return `Write a filter as field=value, such as ${known[0]}=….`;
  return known.includes(name) ? undefined : `There is no field "${name}". There are: ${known.join(', ')}.`;
}

/** The filters and the range of the URL as parameters of the node; a filter that means nothing is left out. */
export function parametersOf(collection: CollectionName, place: Place, nowMs: number, time = 'created'): Parameters {
  const filters = place.filters.filter((filter) => judgeFilter(collection, filter) === undefined).map(parameterOf);
  return [...filters.filter((each) => each !== undefined), ...rangeOf(place, nowMs, time)];
}

/** The range of time of the URL as parameters of the node, which must all hold. */
export function rangeOf({ from, to }: Pick<Place, 'from' | 'to'>, nowMs: number, time = 'created'): Parameters {
  return [
    ...(from === undefined ? [] : [[time, `[>=${momentOf(from, nowMs)}`] as const]),
    ...(to === undefined ? [] : [[time, `[<=${momentOf(to, nowMs)}`] as const]),
  ];
}

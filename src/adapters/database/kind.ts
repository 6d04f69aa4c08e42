/**
 * What a column holds. A `word` is text from a closed set: its value is written into a statement as it is, because
 * SQLite takes a partial index (`where state = 'ready'`) only for literals. `?` = may be null.
 */
export type Kind = Base | `${Base}?`;
export type Base = 'text' | 'word' | 'integer' | 'boolean' | 'json';

type KindOf<V> = [V] extends [boolean]
  ? 'boolean'
  : [V] extends [number]
    ? 'integer'
    : [V] extends [string]
      ? IsClosedSet<V> extends true
        ? 'word'
        : 'text'
      : 'json';
/**
 * Only literals make members that must be there; `string` and a branded text such as `JsonText` make an index of any.
 */
type IsClosedSet<V extends string> = Record<never, never> extends Record<V, true> ? false : true;
/** The kind of a column whose values are of a type. */
export type KindFor<V> = null extends V ? `${KindOf<NonNullable<V>>}?` : KindOf<V>;

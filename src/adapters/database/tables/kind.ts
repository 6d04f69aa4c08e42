/**
 * The kind of a column's values. A `word` is text from a closed set: its value is written into a statement as a
 * literal, because SQLite uses a partial index (`where state = 'ready'`) only for literals. An `id` is text that is
 * nearly always a UUID, a hash or a key, which SQLite stores as bytes (`dialect/ids.ts`). A `time` is a time of a table
 * with a row for each message, which SQLite stores as a number (`dialect/times.ts`). `?` = may be null.
 */
export type Kind = Base | `${Base}?`;
export type Base = 'text' | 'id' | 'time' | 'word' | 'integer' | 'boolean' | 'json';

type KindOf<V> = [V] extends [boolean]
  ? 'boolean'
  : [V] extends [number]
    ? 'integer'
    : [V] extends [string]
      ? IsClosedSet<V> extends true
        ? 'word'
        : 'text' | 'id' | 'time'
      : 'json';
/**
 * Only literals result in required members; `string` and a branded text such as `JsonText` result in an index
 * signature.
 */
type IsClosedSet<V extends string> = Record<never, never> extends Record<V, true> ? false : true;
/** The kind of a column whose values have this type. */
export type KindFor<V> = null extends V ? `${KindOf<NonNullable<V>>}?` : KindOf<V>;

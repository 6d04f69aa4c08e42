import type { TableName } from '../../../ports/tables/tables.js';
import { firstDigit, foldCase, isSigned } from '../../../wire/lists/condition.js';
import {
  type Comparison,
  type Condition,
  type FieldCondition,
  type PartialCondition,
  type Scalar,
  undecidedRank,
} from '../../../wire/lists/query.js';
import type { IdWords, TimeWords, Words } from '../dialect/words.js';
import type { Binding } from './statement.js';
import type { Base } from '../tables/kind.js';
import { baseOf, kindOf } from '../tables/tables.js';

/** Maps the fields of a condition to SQL. */
interface Scope {
  readonly words: Words;
  column(field: string): string;
  /** Whether the field's values are from a closed set of words, which are written as literals. */
  isWord(field: string): boolean;
  /** Conditions on the field if it holds ids and the engine stores those in a form of its own. */
  ids(field: string): IdWords | undefined;
  /** The same for times. */
  times(field: string): TimeWords | undefined;
}

const comparisons = { equal: '=', above: '>', atLeast: '>=', below: '<', atMost: '<=' } as const;
/** The last text of a time. */
const lastTime = '9999-12-31T23:59:59.999Z';
/**
 * Text that may be written into a statement as a literal. A word of another form is bound like any text, and equals no
 * word.
 */
const plainWord = /^[A-Za-z_]{1,64}$/;

/** A condition on a row of a table as SQL; its values go to the end of the bindings. */
export function conditionText(words: Words, table: TableName, condition: Condition, bindings: Binding[]): string {
  const isOf = (field: string, base: Base): boolean => {
    const kind = kindOf(table, field);
    return kind !== undefined && baseOf(kind) === base;
  };
  const isWord = (field: string): boolean => isOf(field, 'word');
  const ids = (field: string): IdWords | undefined => (isOf(field, 'id') ? words.ids : undefined);
  const times = (field: string): TimeWords | undefined => (isOf(field, 'time') ? words.times : undefined);
  return textIn({ words, column: (field) => `"${field}"`, isWord, ids, times }, condition, bindings);
}

function textIn(scope: Scope, condition: Condition, bindings: Binding[]): string {
  switch (condition.is) {
    case 'any':
    case 'all': {
      const [join, none] = condition.is === 'any' ? [' or ', '1 = 0'] : [' and ', '1 = 1'];
      const texts = condition.of.map((each) => textIn(scope, each, bindings));
      return texts.length === 0 ? none : `(${texts.join(join)})`;
    }
    case 'not':
      // `is not true` also covers unknown: rows without a value are among those that do not meet a condition.
      return `(${textIn(scope, condition.of, bindings)}) is not true`;
    default:
      return fieldText(scope, condition, bindings);
  }
}

function fieldText(scope: Scope, condition: FieldCondition, bindings: Binding[]): string {
  const column = scope.column(condition.field);
  const ids = scope.ids(condition.field);
  if (ids !== undefined) return idText(scope, { column, ids }, condition, bindings);
  const times = scope.times(condition.field);
  if (times !== undefined) return timeText(scope, { column, times }, condition, bindings);
  const literalOf = (value: Scalar): string | undefined => {
    if (typeof value === 'boolean') return value ? '1' : '0';
    const isWord = scope.isWord(condition.field) && typeof value === 'string' && plainWord.test(value);
    return isWord || value === undecidedRank ? `'${value}'` : undefined;
  };
  switch (condition.is) {
    case 'null':
      return `${column} is null`;
    case 'notNull':
      return `${column} is not null`;
    case 'in':
      return `${column} ${listText(scope.words, condition.values, literalOf, bindings)}`;
    case 'has':
      return scope.words.hasElement(column, (element) => textIn(plainScope(scope, element), condition.of, bindings));
    case 'several':
      return scope.words.hasSeveral(column);
    case 'written': {
      // A text without escapes has the same form in every engine, which an index can serve.
      const isPlain = condition.of.is === 'equal' && !String(condition.of.value).includes('\\');
      const text = isPlain ? column : scope.words.written(column);
      return textIn(plainScope(scope, text), condition.of, bindings);
    }
    case 'behindSpace':
      return textIn(plainScope(scope, scope.words.behindSpace(column)), condition.of, bindings);
    case 'contains':
    case 'startsWith':
    case 'endsWith':
    case 'alike':
      return partText(scope.words, column, condition, bindings);
    default:
      return comparisonText(column, condition, literalOf, bindings);
  }
}

/** A scope whose fields are all this text. */
function plainScope({ words }: Scope, text: string): Scope {
  return { words, column: () => text, isWord: () => false, ids: () => undefined, times: () => undefined };
}

/** A condition on ids: on the stored form if the engine can decide it that way, else on the text. */
function idText(
  scope: Scope,
  { column, ids }: { readonly column: string; readonly ids: IdWords },
  condition: FieldCondition,
  bindings: Binding[],
): string {
  const asText = (given: string): string => textIn(plainScope(scope, given), condition, bindings);
  switch (condition.is) {
    case 'null':
    case 'notNull':
      return asText(column);
    case 'equal':
      bindings.push(ids.bind(String(condition.value)));
      return `${column} = ?`;
    case 'in':
      return `${column} ${ids.listed(condition.values.map(String), bindings)}`;
    case 'startsWith': {
      const isRange = condition.ignoresCase !== true && textAfter(condition.value) !== undefined;
      if (!isRange) return asText(ids.text(column));
      const plain = asText(column);
      return ids.oneOf([plain, ...ids.startsWith(column, condition.value, bindings)]);
    }
    default:
      return asText(ids.text(column));
  }
}

/** A condition on times: on the stored form, which has the order of the texts, or else on the text. */
function timeText(
  scope: Scope,
  { column, times }: { readonly column: string; readonly times: TimeWords },
  condition: FieldCondition,
  bindings: Binding[],
): string {
  const bind = (value: Scalar): Scalar => (typeof value === 'string' ? times.bind(value) : value);
  const on = (given: string, kept: FieldCondition): string => textIn(plainScope(scope, given), kept, bindings);
  switch (condition.is) {
    case 'contains':
    case 'startsWith':
    case 'endsWith':
    case 'alike':
      return on(times.text(column), condition);
    case 'in':
      return on(column, { ...condition, values: condition.values.map(bind) });
    case 'equal':
    case 'above':
    case 'atLeast':
    case 'below':
    case 'atMost': {
      const value = bind(condition.value);
      // A text that is not a time has a position among the texts of times, unless it comes after all of them.
      const isKept = typeof value === 'number' || String(value) > lastTime;
      return isKept ? on(column, { ...condition, value }) : on(times.text(column), condition);
    }
    default:
      return on(column, condition);
  }
}

/** Compares with one value: as a literal if a partial index may depend on it, else as a bound value. */
function comparisonText(
  column: string,
  { is, value, asNumber = false }: Comparison,
  literalOf: (value: Scalar) => string | undefined,
  bindings: Binding[],
): string {
  const literal = literalOf(value);
  if (literal !== undefined) return `${column} ${comparisons[is]} ${literal}`;
  if (asNumber && is !== 'equal') return wholeText(column, is, String(value), bindings);
  bindings.push(typeof value === 'boolean' ? Number(value) : value);
  return `${column} ${comparisons[is]} ?`;
}

/** Compares whole numbers: of the same sign the longer is the larger, or, if both are negative, the smaller. */
function wholeText(column: string, is: Exclude<Comparison['is'], 'equal'>, value: string, bindings: Binding[]): string {
  bindings.push(value.length, value);
  const isBelow = is === 'below' || is === 'atMost';
  const longer = isSigned(value) ? comparisons[reversed[is]] : comparisons[is];
  const ofSign = `(length(${column}), ${column}) ${longer} (?, ?)`;
  const others = `${column} ${isBelow ? '<' : '>='} '${firstDigit}'`;
  // Those of the other sign are all on one side.
  return isBelow === isSigned(value) ? `(${others} and ${ofSign})` : `(${others} or ${ofSign})`;
}

const reversed = { above: 'below', atLeast: 'atMost', below: 'above', atMost: 'atLeast' } as const;

/**
 * A list is one variable of any length, except if its members can be literals. A list of one literal is written as a
 * comparison: SQLite 3.52 fails with "internal query planner error" for such a list beside `or` and a partial index.
 */
function listText(
  words: Words,
  values: readonly Scalar[],
  literalOf: (value: Scalar) => string | undefined,
  bindings: Binding[],
): string {
  const literals = values.map(literalOf);
  const hasLiterals = literals.length > 0 && literals.every((literal) => literal !== undefined);
  if (hasLiterals) {
    const distinct = [...new Set(literals)].sort();
    return distinct.length === 1 ? `= ${distinct.join()}` : `in (${distinct.join(', ')})`;
  }
  return words.listed(values, bindings);
}

/** Uses no pattern, so that nothing in a user's text has a special meaning. */
function partText(words: Words, column: string, condition: PartialCondition, bindings: Binding[]): string {
  const { is, ignoresCase = is === 'alike' } = condition;
  const value = ignoresCase ? foldCase(condition.value) : condition.value;
  const text = ignoresCase ? `lower(${column})` : column;
  switch (is) {
    case 'alike':
      bindings.push(value);
      return `${text} = ?`;
    case 'contains':
      return words.contains(text, value, bindings);
    case 'startsWith': {
      // A range, which an index can serve.
      const next = textAfter(value);
      bindings.push(value, ...(next === undefined ? [] : [next]));
      return next === undefined ? `${text} >= ?` : `(${text} >= ? and ${text} < ?)`;
    }
    case 'endsWith':
      return value === '' ? `${text} is not null` : words.endsWith(text, value, bindings);
  }
}

/** Returns the first text, by code points, after all texts with this prefix; undefined if there is none. */
function textAfter(prefix: string): string | undefined {
  const characters = [...prefix];
  for (;;) {
    const last = characters.pop()?.codePointAt(0);
    if (last === undefined) return undefined;
    // The code points in between are surrogates, which are not characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    if (next <= 0x10ffff) return characters.join('') + String.fromCodePoint(next);
  }
}

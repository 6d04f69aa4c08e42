import { testOf } from './condition.js';
import { ServiceError } from '../errors/error.js';
import {
  didSpellings,
  type Field,
  type FieldType,
  isArrayType,
  kinds,
  poolNameOf,
  spellingsOf,
  type ValueField,
} from './field.js';
import { uuidPattern } from '../scalar.js';
import { among, type Comparison, type Condition, equal, type FieldCondition, type PartialCondition } from './query.js';
import { readMoment } from '../time.js';

type Order = Exclude<Comparison['is'], 'equal'>;
type Part = Exclude<PartialCondition['is'], 'alike'>;

/** The parsed value of a filter parameter (docs/api.md §8.1). */
interface Wish {
  /** The value as it was sent, for errors. */
  readonly given: string;
  /** The name of the field, for errors. */
  readonly name: string;
  readonly operator: 'equal' | Order | Part;
  readonly match: string;
  readonly isNot: boolean;
  readonly ignoresCase: boolean;
  readonly emptyIsNone: boolean;
  readonly joinsAll: boolean;
}

/** Longest first, so that `<=` is not read as `<`. */
const operators: readonly (readonly [sign: string, operator: Wish['operator']])[] = [
  ['>=', 'atLeast'],
  ['>>', 'above'],
  ['>', 'above'],
  ['<=', 'atMost'],
  ['<<', 'below'],
  ['<', 'below'],
  ['@', 'contains'],
  ['^', 'startsWith'],
  ['$', 'endsWith'],
  ['=', 'equal'],
];

/**
 * Builds the condition for the values of one filter parameter: any of them, or all if one has the modifier `[`
 * (docs/api.md §8.1). `!` matches rows without a value, too.
 *
 * @throws ServiceError bad_parameter, partial_match, modifier_refused
 */
export function readFilter(name: string, field: Field, values: readonly string[]): Condition {
  if ('yes' in field) return values.at(-1) === 'false' ? field.no : field.yes;
  const wishes = values.map((given) => readWish(name, given));
  const conditions = wishes.map((wish) => conditionOf(field, wish));
  const [first, ...others] = conditions;
  if (first !== undefined && others.length === 0) return first;
  if (wishes.some(({ joinsAll }) => joinsAll)) return { is: 'all', of: conditions };
  return oneOfEqual(conditions) ?? { is: 'any', of: conditions };
}

function readWish(name: string, given: string): Wish {
  const [modifiers = ''] = /^[!:?[\]]*/.exec(given) ?? [];
  const rest = given.slice(modifiers.length);
  const [sign, operator] = operators.find(([each]) => rest.startsWith(each)) ?? ['', 'equal' as const];
  return {
    given,
    name,
    operator,
    match: rest.slice(sign.length),
    isNot: modifiers.includes('!'),
    ignoresCase: modifiers.includes(':'),
    emptyIsNone: modifiers.includes('?'),
    joinsAll: modifiers.includes('['),
  };
}

function conditionOf(field: ValueField, wish: Wish): Condition {
  const condition = plainCondition(field, wish);
  return wish.isNot ? { is: 'not', of: condition } : condition;
}

function plainCondition(field: ValueField, wish: Wish): Condition {
  const { type } = field;
  if ('constant' in field) {
    const holds = testOf(plainCondition({ type, column: 'value' }, wish))({ value: field.constant });
    return { is: holds ? 'all' : 'any', of: [] };
  }
  if ('columns' in field) {
    return { is: 'any', of: field.columns.map((column) => plainCondition({ type, column }, wish)) };
  }
  const { column } = field;
  const isArray = isArrayType(type);
  if (wish.emptyIsNone && wish.match === '') {
    refuseModifiers(wish);
    if (isArray) return { is: 'not', of: { field: column, is: 'has', of: { field: 'value', is: 'notNull' } } };
    return noneCondition(field, column);
  }
  if (isBlank(field, wish)) return blankCondition(field, column, wish);
  if (isArray) return { field: column, is: 'has', of: valueCondition(type, 'value', wish) };
  if (type === 'json') return { field: column, is: 'written', of: valueCondition(type, 'value', wish) };
  if (type === 'pool') return poolCondition(column, wish);
  const condition = spelledCondition(type, column, wish);
  if (field.fallback !== undefined) return orFallback(condition, column, field.fallback);
  if (field.none !== undefined && wish.operator !== 'equal') return withoutNone(condition, column, field.none);
  if (field.twin === undefined) return condition;
  return { is: 'all', of: [condition, valueCondition(type, field.twin, wish)] };
}

type Column = Extract<ValueField, { readonly column: string }>;

/** The condition that a record has no value of the field. */
function noneCondition({ none, fallback }: Column, column: string): Condition {
  const isNull: Condition = { field: column, is: 'null' };
  if (none !== undefined) return { is: 'any', of: [isNull, equal(column, none)] };
  return fallback === undefined ? isNull : { is: 'all', of: [isNull, { field: fallback.beside, is: 'null' }] };
}

/** The same condition without the rows whose text stands for no value: it is no part of texts, and has no order. */
function withoutNone(condition: Condition, column: string, none: string): Condition {
  if (!testOf(condition)({ [column]: none })) return condition;
  return { is: 'all', of: [condition, { is: 'not', of: equal(column, none) }] };
}

/** The same condition on what records show, where the column has no value. */
function orFallback(
  condition: Condition,
  column: string,
  { value, beside }: NonNullable<Column['fallback']>,
): Condition {
  if (!testOf(condition)({ [column]: value })) return condition;
  const isShown: Condition = {
    is: 'all',
    of: [
      { field: column, is: 'null' },
      { field: beside, is: 'notNull' },
    ],
  };
  return { is: 'any', of: [condition, isShown] };
}

/** Whether the value is empty and the field allows that; an empty number or flag is refused elsewhere. */
function isBlank({ type, none }: Column, { match, operator }: Wish): boolean {
  const mayBeEmpty = none === '' || !['integer', 'amount', 'boolean'].includes(type);
  return match === '' && operator === 'equal' && mayBeEmpty;
}

/** An empty value, as in `tag=`, matches both empty text and no value. */
function blankCondition(field: ValueField, column: string, wish: Wish): Condition {
  const none = plainCondition(field, { ...wish, ignoresCase: false, emptyIsNone: true });
  if (!('column' in field) || !hasEmptyText(field.type)) return none;
  const empty: Condition = isArrayType(field.type)
    ? { field: column, is: 'has', of: equal('value', '') }
    : equal(column, '');
  return { is: 'any', of: [none, empty] };
}

function hasEmptyText(type: FieldType): boolean {
  return ['text', 'texts', 'key', 'did', 'txtype'].includes(type);
}

/** A pool is given by name or id; no name looks like an id (docs/api.md §3.2, §8.1). */
function poolCondition(column: string, wish: Wish): Condition {
  const byName = valueCondition('text', poolNameOf(column), wish);
  const isWhole = wish.operator === 'equal' && !wish.ignoresCase;
  if (isWhole && !uuidPattern.test(wish.match.toLowerCase())) return byName;
  const byId = valueCondition('uuid', column, wish);
  return { is: 'any', of: isWhole ? [byId] : [byId, byName] };
}

/**
 * The condition that a value has any of its spellings. A row is only ordered relative to values of its own spelling.
 */
function spelledCondition(type: FieldType, column: string, wish: Wish): Condition {
  if (isOrder(wish)) return orderCondition(type, column, wish);
  const spellings = spellingsOf(type, wish.match, wish);
  const of = spellings.map((match) => valueCondition(type, column, { ...wish, match }));
  const [first, ...others] = of;
  if (first !== undefined && others.length === 0) return first;
  return oneOfEqual(of) ?? { is: 'any', of };
}

/** Compares a DID with those of the same method, of which a network has one; any other value as it was sent. */
function orderCondition(type: FieldType, column: string, wish: Wish): Condition {
  const dids = type === 'did' ? didSpellings(wish.match) : [];
  if (dids.length === 0) return valueCondition(type, column, wish);
  const of = dids.map(({ start, did }): Condition => {
    const compared = valueCondition(type, column, { ...wish, match: did });
    return { is: 'all', of: [{ field: column, is: 'startsWith', value: start }, compared] };
  });
  return { is: 'any', of };
}

/** The condition on a single text, number, boolean or time. */
function valueCondition(type: FieldType, field: string, wish: Wish): Condition {
  const { operator, ignoresCase } = wish;
  switch (operator) {
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return { field, is: operator, value: partOf(type, wish), ignoresCase };
    case 'equal':
      if (ignoresCase) return { field, is: 'alike', value: partOf(type, wish) };
      return type === 'time' ? timeCondition(field, operator, wish) : comparison(type, field, 'equal', wish);
    default:
      refuseModifiers(wish);
      if (type === 'boolean') throw unreadable(wish, 'true or false, which have no order');
      if (type === 'time') return timeCondition(field, operator, wish);
      return comparison(type, field, operator, wish);
  }
}

/**
 * Refuses modifiers with `<` and `>`, except those that join repeated parameters. @throws ServiceError modifier_refused
 */
function refuseModifiers(wish: Wish): void {
  const { name, given, isNot, ignoresCase, emptyIsNone } = wish;
  if (isOrder(wish) && (isNot || ignoresCase || emptyIsNone))
    throw new ServiceError('modifier_refused', { field: name, actual: given });
}

function isOrder({ operator }: Wish): boolean {
  return ['above', 'atLeast', 'below', 'atMost'].includes(operator);
}

/** @throws ServiceError partial_match */
function partOf(type: FieldType, { name, given, match }: Wish): string {
  const part = type === 'time' ? undefined : kinds[type].part;
  if (part === undefined) throw new ServiceError('partial_match', { field: name, actual: given });
  return part(match);
}

function comparison(type: Exclude<FieldType, 'time'>, field: string, is: Comparison['is'], wish: Wish): FieldCondition {
  const { expected, value: read } = kinds[type];
  const value = read(wish.match);
  if (value === undefined) throw unreadable(wish, expected);
  return { field, is, value, ...(type === 'amount' && { asNumber: true }) };
}

/** Stored times have milliseconds, so none equals a more precise time between two of them. */
function timeCondition(field: string, is: Comparison['is'], wish: Wish): Condition {
  const moment = readMoment(wish.match);
  if (moment === undefined) throw unreadable(wish, 'a time in RFC 3339, or a whole number of s, ms, µs or ns');
  const { text: value, isBetween } = moment;
  if (!isBetween) return { field, is, value };
  if (is === 'equal') return among(field, []);
  return { field, is: is === 'above' || is === 'atLeast' ? 'above' : 'atMost', value };
}

function unreadable({ name, match }: Wish, expected: string): ServiceError {
  return new ServiceError('bad_parameter', { field: name, expected, actual: match });
}

/** Merges many equality conditions into one list, which an index can serve. */
function oneOfEqual(conditions: readonly Condition[]): Condition | undefined {
  const equals = conditions.flatMap((each) => (each.is === 'equal' ? each : []));
  const [first] = equals;
  if (first === undefined || equals.length < conditions.length) return undefined;
  const values = equals.map(({ value }) => value);
  return among(first.field, values);
}

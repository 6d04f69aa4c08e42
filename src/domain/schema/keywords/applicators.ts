import {
  apply,
  type Check,
  fail,
  noteItem,
  noteMember,
  namesAt,
  type Place,
  placeOf,
  type Plan,
  type PlanContext,
  type Run,
  silently,
} from '../evaluate.js';
import { isArray, isObject, type JsonObject, memberOf, entriesOfObject } from '../json.js';

type Applicator = (schema: JsonObject, context: PlanContext) => Check | undefined;

function plansOf(schema: JsonObject, keyword: string, { planOf }: PlanContext): readonly Plan[] | undefined {
  const given = memberOf(schema, keyword);
  return isArray(given) ? given.map(planOf) : undefined;
}

function planAt(schema: JsonObject, keyword: string, { planOf }: PlanContext): Plan | undefined {
  const given = memberOf(schema, keyword);
  return given === undefined ? undefined : planOf(given);
}

function allOf(schema: JsonObject, context: PlanContext): Check | undefined {
  const plans = plansOf(schema, 'allOf', context);
  return plans && ((place, run, seen) => everyOf(plans, run, (plan) => apply(plan, place, run, seen)));
}

/** Whether all elements pass the test. If only the outcome counts, it stops at the first failure. */
function everyOf<T>(all: readonly T[], run: Run, test: (one: T) => boolean): boolean {
  let isHolding = true;
  for (const one of all) {
    if (test(one)) continue;
    if (run.violations === undefined) return false;
    isHolding = false;
  }
  return isHolding;
}

function anyOf(schema: JsonObject, context: PlanContext): Check | undefined {
  const plans = plansOf(schema, 'anyOf', context);
  if (plans === undefined) return undefined;
  return (place, run, seen) => {
    const silent = silently(run);
    const test = (plan: Plan) => apply(plan, place, silent, seen);
    const isAny = run.isTracking ? plans.filter(test).length > 0 : plans.some(test);
    return isAny || fail(place, run, 'must match one of the alternatives (anyOf)');
  };
}

function oneOf(schema: JsonObject, context: PlanContext): Check | undefined {
  const plans = plansOf(schema, 'oneOf', context);
  if (plans === undefined) return undefined;
  return (place, run, seen) => {
    const silent = silently(run);
    let matches = 0;
    for (const plan of plans) {
      if (apply(plan, place, silent, seen)) matches += 1;
      if (matches > 1) break;
    }
    return matches === 1 || fail(place, run, `must match exactly one of the alternatives (oneOf), not ${matches}`);
  };
}

function not(schema: JsonObject, context: PlanContext): Check | undefined {
  const plan = planAt(schema, 'not', context);
  if (plan === undefined) return undefined;
  return (place, run) =>
    !apply(plan, place, silently(run)) || fail(place, run, 'must not match what is excluded (not)');
}

function conditional(schema: JsonObject, context: PlanContext): Check | undefined {
  const condition = planAt(schema, 'if', context);
  if (condition === undefined) return undefined;
  const [yes = true, no = true] = [planAt(schema, 'then', context), planAt(schema, 'else', context)];
  return (place, run, seen) => apply(apply(condition, place, silently(run), seen) ? yes : no, place, run, seen);
}

/** Schemas that apply when a member is present: `dependentSchemas`, and schemas among the older `dependencies`. */
function dependentSchemas(schema: JsonObject, { planOf }: PlanContext): Check | undefined {
  const given = [
    ...entriesOfObject(memberOf(schema, 'dependentSchemas')),
    ...entriesOfObject(memberOf(schema, 'dependencies')),
  ];
  const plans = given.flatMap(([name, each]) => (isArray(each) ? [] : [{ name, plan: planOf(each) }]));
  if (plans.length === 0) return undefined;
  return (place, run, seen) => {
    const { value } = place;
    if (!isObject(value)) return true;
    run.budget.spend(run.budget.prices.lookup * plans.length);
    const present = plans.filter(({ name }) => Object.hasOwn(value, name));
    return everyOf(present, run, ({ plan }) => apply(plan, place, run, seen));
  };
}

function properties(schema: JsonObject, context: PlanContext): Check | undefined {
  const named = new Map(
    entriesOfObject(memberOf(schema, 'properties')).map(([name, each]) => [name, context.planOf(each)]),
  );
  const matched = entriesOfObject(memberOf(schema, 'patternProperties')).map(([expression, each]) => {
    return { ...context.patterns.compile(expression), plan: context.planOf(each) };
  });
  const others = planAt(schema, 'additionalProperties', context);
  if (named.size === 0 && matched.length === 0 && others === undefined) return undefined;

  return (place, run, seen) => {
    const { value } = place;
    if (!isObject(value)) return true;
    const names = namesAt(place, value, run);
    run.budget.spend(run.budget.prices.member * names.length);
    return everyOf(names, run, (name) => {
      const own = named.get(name);
      const found = matched.length === 0 ? [] : plansMatching(name, run);
      if (own === undefined && found.length === 0 && others === undefined) return true;
      noteMember(name, seen, run);
      const member = memberPlace(place, value, name);
      if (found.length === 0) return apply(own ?? others ?? true, member, run);
      return everyOf(own === undefined ? found : [own, ...found], run, (plan) => apply(plan, member, run));
    });
  };

  function plansMatching(name: string, { budget }: Run): readonly Plan[] {
    const { patternText, patternCharacter } = budget.prices;
    return matched.flatMap(({ occursIn, states, plan }) => {
      budget.spend(patternText + (1 + name.length) * patternCharacter(states));
      return occursIn(name) ? [plan] : [];
    });
  }
}

function memberPlace(outer: Place, value: JsonObject, key: string): Place {
  return placeOf(value[key], outer, key);
}

function propertyNames(schema: JsonObject, context: PlanContext): Check | undefined {
  const plan = planAt(schema, 'propertyNames', context);
  if (plan === undefined) return undefined;
  return (place, run) => {
    const names = isObject(place.value) ? namesAt(place, place.value, run) : [];
    run.budget.spend(run.budget.prices.memberName * names.length);
    const silent = silently(run);
    return everyOf(names, run, (name) => {
      if (apply(plan, placeOf(name, place, name), silent)) return true;
      return fail(place, run, `must not have the member "${name}" (propertyNames)`);
    });
  };
}

/**
 * Schemas for individual items, then one for the rest: `prefixItems` and `items`, before 2020-12 `items` and
 * `additionalItems`.
 */
function items(schema: JsonObject, context: PlanContext): Check | undefined {
  const isNew = context.draft === '2020-12';
  const isList = isArray(memberOf(schema, 'items'));
  const first = plansOf(schema, isNew ? 'prefixItems' : 'items', context) ?? [];
  const rest = planAt(schema, !isNew && isList ? 'additionalItems' : 'items', context);
  if (first.length === 0 && rest === undefined) return undefined;
  return (place, run, seen) => {
    const { value } = place;
    if (!isArray(value)) return true;
    const count = rest === undefined ? Math.min(first.length, value.length) : value.length;
    run.budget.spend(run.budget.prices.item * count);
    let isHolding = true;
    for (let index = 0; index < count; index++) {
      noteItem(index, seen, run);
      if (apply(first[index] ?? rest ?? true, itemPlace(place, value, index), run)) continue;
      if (run.violations === undefined) return false;
      isHolding = false;
    }
    return isHolding;
  };
}

function itemPlace(outer: Place, value: readonly unknown[], key: number): Place {
  return placeOf(value[key], outer, key);
}

function contains(schema: JsonObject, context: PlanContext): Check | undefined {
  const plan = planAt(schema, 'contains', context);
  if (plan === undefined) return undefined;
  const [least, most] = ['minContains', 'maxContains'].map((keyword) => memberOf(schema, keyword));
  const hasCounts = context.draft !== 'draft-07';
  const minimum = hasCounts && typeof least === 'number' ? least : 1;
  const maximum = hasCounts && typeof most === 'number' ? most : Infinity;
  return (place, run, seen) => {
    const { value } = place;
    if (!isArray(value)) return true;
    run.budget.spend(run.budget.prices.containedItem * value.length);
    const silent = silently(run);
    let found = 0;
    for (let index = 0; index < value.length; index++) {
      if (!apply(plan, itemPlace(place, value, index), silent)) continue;
      found += 1;
      if (context.draft === '2020-12') noteItem(index, seen, run);
    }
    if (found >= minimum && found <= maximum) return true;
    const range = maximum === Infinity ? `at least ${minimum}` : `${minimum} to ${maximum}`;
    return fail(place, run, `must contain ${range} items of the kind that contains names, not ${found}`);
  };
}

function unevaluatedItems(schema: JsonObject, context: PlanContext): Check | undefined {
  const plan = context.draft === 'draft-07' ? undefined : planAt(schema, 'unevaluatedItems', context);
  if (plan === undefined) return undefined;
  return (place, run, seen) => {
    const { value } = place;
    if (!isArray(value)) return true;
    run.budget.spend(run.budget.prices.unevaluatedItem * value.length);
    const left = [...value.keys()].filter((index) => seen?.items?.has(index) !== true);
    return everyOf(left, run, (index) => {
      noteItem(index, seen, run);
      return apply(plan, itemPlace(place, value, index), run);
    });
  };
}

function unevaluatedProperties(schema: JsonObject, context: PlanContext): Check | undefined {
  const plan = context.draft === 'draft-07' ? undefined : planAt(schema, 'unevaluatedProperties', context);
  if (plan === undefined) return undefined;
  return (place, run, seen) => {
    const { value } = place;
    if (!isObject(value)) return true;
    const names = namesAt(place, value, run);
    run.budget.spend(run.budget.prices.unevaluatedMember * names.length);
    const left = names.filter((name) => seen?.members?.has(name) !== true);
    return everyOf(left, run, (name) => {
      noteMember(name, seen, run);
      return apply(plan, memberPlace(place, value, name), run);
    });
  };
}

/**
 * Keywords that apply subschemas. The last two must stay last: they read which members and items the others have
 * evaluated.
 */
export const applicators: readonly Applicator[] = [
  allOf,
  anyOf,
  oneOf,
  not,
  conditional,
  dependentSchemas,
  properties,
  propertyNames,
  items,
  contains,
  unevaluatedItems,
  unevaluatedProperties,
];

import { apply, type Check, fail, type Place, type Plan, type PlanContext, type Run, silently } from './evaluate.js';
import { isArray, isObject, type JsonObject, memberOf, membersOf } from './json.js';

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

/** Whether all of them hold. Where only the outcome counts, the first that does not is the last that is tried. */
function everyOf<T>(all: readonly T[], run: Run, test: (one: T) => boolean): boolean {
  if (run.violations === undefined) return all.every(test);
  return all.map(test).every((one) => one);
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

/** Schemas that count when a member is there: `dependentSchemas`, and schemas among the older `dependencies`. */
function dependentSchemas(schema: JsonObject, { planOf }: PlanContext): Check | undefined {
  const given = [...membersOf(memberOf(schema, 'dependentSchemas')), ...membersOf(memberOf(schema, 'dependencies'))];
  const plans = given.flatMap(([name, each]) => (isArray(each) ? [] : [{ name, plan: planOf(each) }]));
  if (plans.length === 0) return undefined;
  return (place, run, seen) => {
    const { value } = place;
    if (!isObject(value)) return true;
    run.budget.spend(plans.length);
    const present = plans.filter(({ name }) => Object.hasOwn(value, name));
    return everyOf(present, run, ({ plan }) => apply(plan, place, run, seen));
  };
}

function properties(schema: JsonObject, context: PlanContext): Check | undefined {
  const named = new Map(membersOf(memberOf(schema, 'properties')).map(([name, each]) => [name, context.planOf(each)]));
  const matched = membersOf(memberOf(schema, 'patternProperties')).map(([expression, each]) => {
    return { ...context.patterns.compile(expression), plan: context.planOf(each) };
  });
  const others = planAt(schema, 'additionalProperties', context);
  if (named.size === 0 && matched.length === 0 && others === undefined) return undefined;

  return (place, run, seen) => {
    const { value } = place;
    if (!isObject(value)) return true;
    const names = Object.keys(value);
    run.budget.spend(names.length);
    return everyOf(names, run, (name) => {
      const plans = plansFor(name, run);
      if (plans.length > 0) seen.members.add(name);
      return everyOf(plans, run, (plan) => apply(plan, memberPlace(place, value, name), run));
    });
  };

  function plansFor(name: string, run: Run): readonly Plan[] {
    const own = named.get(name);
    const plans = own === undefined ? [] : [own];
    for (const { occursIn, unitsPerCharacter, plan } of matched) {
      run.budget.spend((1 + name.length) * unitsPerCharacter);
      if (occursIn(name)) plans.push(plan);
    }
    return plans.length === 0 && others !== undefined ? [others] : plans;
  }
}

function memberPlace(outer: Place, value: JsonObject, key: string): Place {
  return { value: value[key], outer, key };
}

function propertyNames(schema: JsonObject, context: PlanContext): Check | undefined {
  const plan = planAt(schema, 'propertyNames', context);
  if (plan === undefined) return undefined;
  return (place, run) => {
    const names = isObject(place.value) ? Object.keys(place.value) : [];
    return everyOf(names, run, (name) => {
      if (apply(plan, { value: name, outer: place, key: name }, silently(run))) return true;
      return fail(place, run, `must not have the member "${name}" (propertyNames)`);
    });
  };
}

/**
 * Items one by one, then one schema for the rest: `prefixItems` and `items`, before 2020-12 `items` and
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
    const indexes = [...value.keys()].slice(0, rest === undefined ? first.length : value.length);
    run.budget.spend(indexes.length);
    return everyOf(indexes, run, (index) => {
      seen.items.add(index);
      return apply(first[index] ?? rest ?? true, { value: value[index], outer: place, key: index }, run);
    });
  };
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
    const found = [...value.keys()].filter((index) => {
      return apply(plan, { value: value[index], outer: place, key: index }, silently(run));
    });
    if (context.draft === '2020-12') for (const index of found) seen.items.add(index);
    if (found.length >= minimum && found.length <= maximum) return true;
    const range = maximum === Infinity ? `at least ${minimum}` : `${minimum} to ${maximum}`;
    return fail(place, run, `must contain ${range} items of the kind that contains names, not ${found.length}`);
  };
}

function unevaluatedItems(schema: JsonObject, context: PlanContext): Check | undefined {
  const plan = context.draft === 'draft-07' ? undefined : planAt(schema, 'unevaluatedItems', context);
  if (plan === undefined) return undefined;
  return (place, run, seen) => {
    const { value } = place;
    if (!isArray(value)) return true;
    run.budget.spend(value.length);
    const left = [...value.keys()].filter((index) => !seen.items.has(index));
    return everyOf(left, run, (index) => {
      seen.items.add(index);
      return apply(plan, { value: value[index], outer: place, key: index }, run);
    });
  };
}

function unevaluatedProperties(schema: JsonObject, context: PlanContext): Check | undefined {
  const plan = context.draft === 'draft-07' ? undefined : planAt(schema, 'unevaluatedProperties', context);
  if (plan === undefined) return undefined;
  return (place, run, seen) => {
    const { value } = place;
    if (!isObject(value)) return true;
    const names = Object.keys(value);
    run.budget.spend(names.length);
    const left = names.filter((name) => !seen.members.has(name));
    return everyOf(left, run, (name) => {
      seen.members.add(name);
      return apply(plan, memberPlace(place, value, name), run);
    });
  };
}

/** Keywords that apply other subschemas; the last two ask what all before them have looked at. */
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

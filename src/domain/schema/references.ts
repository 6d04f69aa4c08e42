import type { Resource } from './document.js';
import { apply, type Check, type PlanContext, type Run } from './evaluate.js';
import { type JsonObject, memberOf } from './json.js';

type Reference = (schema: JsonObject, context: PlanContext, resource: Resource) => Check | undefined;

function plain(schema: JsonObject, { document, planOf }: PlanContext, resource: Resource): Check | undefined {
  const given = memberOf(schema, '$ref');
  if (typeof given !== 'string') return undefined;
  const plan = planOf(document.resolve(given, resource).schema);
  return (place, run, seen) => apply(plan, place, run, seen);
}

/** `$dynamicRef` of 2020-12: a reference to an anchor that an outer resource may override. */
function dynamic(schema: JsonObject, { draft, document, planOf }: PlanContext, resource: Resource): Check | undefined {
  const given = memberOf(schema, '$dynamicRef');
  if (draft !== '2020-12' || typeof given !== 'string') return undefined;
  const target = document.resolve(given, resource);
  const { dynamicAnchor } = target;
  return (place, run, seen) => {
    const schemaThere = dynamicAnchor === undefined ? undefined : outermost(run, dynamicAnchor);
    return apply(planOf(schemaThere ?? target.schema), place, run, seen);
  };
}

/** `$recursiveRef` of 2019-09: the same for the root of a resource. */
function recursive(
  schema: JsonObject,
  { draft, document, planOf }: PlanContext,
  resource: Resource,
): Check | undefined {
  const given = memberOf(schema, '$recursiveRef');
  if (draft !== '2019-09' || typeof given !== 'string') return undefined;
  const target = document.resolve(given, resource);
  const isMovable = target.resource.dynamicAnchors.has('') && target.schema === target.resource.schema;
  return (place, run, seen) => {
    const schemaThere = isMovable ? outermost(run, '') : undefined;
    return apply(planOf(schemaThere ?? target.schema), place, run, seen);
  };
}

function outermost({ scope, budget }: Run, anchor: string): unknown {
  let found: unknown;
  for (let each = scope; each !== undefined; each = each.outer) {
    budget.spend(budget.prices.scope);
    found = each.resource.dynamicAnchors.get(anchor) ?? found;
  }
  return found;
}

/** Keywords that apply another part of the document to the same value. */
export const references: readonly Reference[] = [plain, dynamic, recursive];

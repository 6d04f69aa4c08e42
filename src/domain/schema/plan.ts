import { applicators } from './keywords/applicators.js';
import { assertions } from './keywords/assertions.js';
import type { BudgetVersion } from './budget.js';
import { type Document, isBareReference } from './document.js';
import type { Plan, PlanContext, Rules } from './evaluate.js';
import { isObject, type JsonObject } from './json.js';
import { createPatterns } from './pattern.js';
import { references } from './references.js';

/** Keywords that depend on what other keywords have evaluated. */
const trackingKeywords = ['unevaluatedProperties', 'unevaluatedItems'];

/** The plan of a whole schema. */
export interface ReadyPlan {
  readonly plan: Plan;
  readonly isTracking: boolean;
  /** Total states of its patterns. */
  readonly states: number;
}

/**
 * Compiles every subschema of a document, each once however often it is referenced.
 *
 * @throws SchemaFault for a pattern that cannot be compiled
 */
export function makePlan(document: Document, version: BudgetVersion): ReadyPlan {
  const rules = new Map<JsonObject, Rules>();
  for (const [schema, resource] of document.subschemas) rules.set(schema, { resource, checks: [] });
  const patterns = createPatterns(version);
  const context: PlanContext = {
    draft: document.draft,
    patterns,
    document,
    planOf: (schema) => (isObject(schema) ? (rules.get(schema) ?? false) : schema === true),
  };
  for (const [schema, each] of rules) {
    const makers = isBareReference(schema, document.draft)
      ? references
      : [...assertions, ...references, ...applicators];
    each.checks = makers.flatMap((make) => make(schema, context, each.resource) ?? []);
  }
  const schemas = [...document.subschemas.keys()];
  return {
    plan: context.planOf(document.root.schema),
    isTracking: schemas.some((schema) => trackingKeywords.some((keyword) => Object.hasOwn(schema, keyword))),
    states: patterns.states(),
  };
}

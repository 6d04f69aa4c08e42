import { networkLimits } from '../limits.js';
import type { Document, Resource } from './document.js';
import type { Draft } from './draft.js';
import { pointerToken } from './json.js';
import type { Patterns } from './pattern.js';

/** What is wrong with a value, and where, as a JSON pointer. */
export interface Violation {
  readonly path: string;
  readonly message: string;
}

/** A subschema, ready to be applied; `true` and `false` are themselves. */
export type Plan = boolean | Rules;

export interface Rules {
  readonly resource: Resource;
  /** In a fixed order: what a value costs is the same on every node. */
  checks: readonly Check[];
}

/** What the check of a keyword is made with. */
export interface PlanContext {
  readonly draft: Draft;
  readonly patterns: Patterns;
  readonly document: Document;
  /** The plan of a subschema; its checks may be filled in later. */
  readonly planOf: (schema: unknown) => Plan;
}

/** One keyword's judgement about the value at a place. */
export type Check = (place: Place, run: Run, seen: Seen) => boolean;

/** A value and how it was reached. */
export interface Place {
  readonly value: unknown;
  readonly outer?: Place;
  readonly key?: string | number;
}

/** Members and items that an applied subschema has looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Seen {
  readonly members: Set<string>;
  readonly items: Set<number>;
}

/** The state of one validation. */
export interface Run {
  readonly budget: Budget;
  /** Undefined where only the outcome counts: the first failure is the last. */
  readonly violations: Violation[] | undefined;
  /** The resources entered, the innermost first. */
  readonly scope: Scope | undefined;
  /** Whether every alternative must be looked at, because something asks what was seen. */
  readonly isTracking: boolean;
}

export interface Scope {
  readonly resource: Resource;
  readonly outer: Scope | undefined;
}

/** Counts what a validation costs. */
export interface Budget {
  /** @throws BudgetSpent */
  spend(units: number): void;
  /** A subschema is applied within others, until it is left again. @throws BudgetSpent */
  enter(): void;
  leave(): void;
}

/** A validation that costs more than the network allows; the value does not conform, on any node. */
export class BudgetSpent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BudgetSpent';
  }
}

/**
 * A step is one application of a subschema or one comparison of `uniqueItems` (S §4.5). Where a keyword goes through a
 * text, a list or the members of an object, each character, entry and member is a hundredth, so that a step is worth
 * about the same time everywhere.
 */
export const unitsPerStep = 100;

/**
 * How deep applications may nest: eight for each level of the deepest value. Far less than what the stack holds, so no
 * node runs out of it before it comes to this verdict.
 */
export const maxNesting = 8 * networkLimits.maxValueDepth;

const maxViolations = 50;

/** A budget of the network's steps. */
export function createBudget(): Budget {
  let left = networkLimits.maxValidationSteps * unitsPerStep;
  let depth = 0;
  return {
    spend(units) {
      left -= units;
      if (left < 0) throw new BudgetSpent(`takes more than ${networkLimits.maxValidationSteps} steps to validate`);
    },
    enter() {
      depth += 1;
      if (depth > maxNesting) throw new BudgetSpent(`needs more than ${maxNesting} schemas within one another`);
    },
    leave() {
      depth -= 1;
    },
  };
}

/**
 * Applies a subschema to a value. What it has seen is added to `seen` when the value conforms and the subschema stands
 * in the same place as who asks.
 */
export function apply(plan: Plan, place: Place, run: Run, seen?: Seen): boolean {
  const { budget } = run;
  budget.spend(unitsPerStep);
  if (plan === true) return true;
  if (plan === false) return fail(place, run, 'must not be there');
  budget.enter();
  const inner = run.scope?.resource === plan.resource ? run : within(run, plan.resource);
  const own: Seen = { members: new Set(), items: new Set() };
  let conforms = true;
  for (const check of plan.checks) {
    if (check(place, inner, own)) continue;
    conforms = false;
    if (isEnough(run)) break;
  }
  if (conforms && seen !== undefined) add(own, seen, run);
  budget.leave();
  return conforms;
}

/** The same run where only the outcome counts. */
export function silently(run: Run): Run {
  return run.violations === undefined ? run : { ...run, violations: undefined };
}

/** Records a violation; always false. */
export function fail(place: Place, { violations }: Run, message: string): false {
  if (violations !== undefined && violations.length < maxViolations) violations.push({ path: pathOf(place), message });
  return false;
}

function isEnough({ violations }: Run): boolean {
  return violations === undefined || violations.length >= maxViolations;
}

function within(run: Run, resource: Resource): Run {
  return { ...run, scope: { resource, outer: run.scope } };
}

function add(own: Seen, seen: Seen, { budget }: Run): void {
  budget.spend(own.members.size + own.items.size);
  for (const member of own.members) seen.members.add(member);
  for (const item of own.items) seen.items.add(item);
}

function pathOf(place: Place): string {
  const tokens: string[] = [];
  for (let each: Place | undefined = place; each?.key !== undefined; each = each.outer)
    tokens.push(pointerToken(each.key));
  return tokens
    .reverse()
    .map((token) => `/${token}`)
    .join('');
}

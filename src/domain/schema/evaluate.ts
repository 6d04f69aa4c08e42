import type { Budget } from './budget.js';
import type { Document, Resource } from './document.js';
import type { Draft } from './draft.js';
import { type JsonObject, pointerToken } from './json.js';
import type { Patterns } from './pattern.js';

/** A fault of a value, and its location as a JSON pointer. */
export interface Violation {
  readonly path: string;
  readonly message: string;
}

/** A compiled subschema; `true` and `false` stand for themselves. */
export type Plan = boolean | Rules;

export interface Rules {
  readonly resource: Resource;
  /** In a fixed order, so that a value costs the same on every node. */
  checks: readonly Check[];
}

/** The context in which the check of a keyword is made. */
export interface PlanContext {
  readonly draft: Draft;
  readonly patterns: Patterns;
  readonly document: Document;
  /** Returns the plan of a subschema; its checks may be filled in later. */
  readonly planOf: (schema: unknown) => Plan;
}

/** The check of one keyword at a place. */
export type Check = (place: Place, run: Run, seen: Seen | undefined) => boolean;

/** A value and the path to it. */
export interface Place {
  readonly value: unknown;
  readonly outer: Place | undefined;
  readonly key: string | number | undefined;
  /** The names of its members, cached: for a large object, listing them takes longer than anything done with them. */
  names: readonly string[] | undefined;
}

/** Creates the place of a value. */
export function placeOf(value: unknown, outer?: Place, key?: string | number): Place {
  return { value, outer, key, names: undefined };
}

/** Lists the member names of the object at a place. */
export function namesAt(place: Place, object: JsonObject, { budget }: Run): readonly string[] {
  if (place.names === undefined) {
    place.names = Object.keys(object);
    budget.spend(budget.prices.listedName * place.names.length);
  }
  return place.names;
}

/**
 * The members and items evaluated by applied subschemas, for `unevaluatedProperties` and `unevaluatedItems`. Most
 * subschemas evaluate one kind at most, so each set is created on first use.
 */
export interface Seen {
  members: Set<string> | undefined;
  items: Set<number> | undefined;
}

/** The state of one validation. */
export interface Run {
  readonly budget: Budget;
  /** Undefined if only the outcome counts; then the first failure ends the validation. */
  readonly violations: Violation[] | undefined;
  /** The resources entered, innermost first. */
  readonly scope: Scope | undefined;
  /** Whether every alternative must be evaluated, because a keyword asks what was evaluated. */
  readonly isTracking: boolean;
  /** Whether evaluated members are recorded; version 1 charges for it even if no keyword asks. */
  readonly isNoting: boolean;
}

export interface Scope {
  readonly resource: Resource;
  readonly outer: Scope | undefined;
}

const maxViolations = 50;

/**
 * Applies a subschema to a value. The members and items that it evaluated are added to `seen` if the value conforms and
 * the subschema applies to the same place as its parent.
 */
export function apply(plan: Plan, place: Place, run: Run, seen?: Seen): boolean {
  const { budget } = run;
  const { prices } = budget;
  if (typeof plan === 'boolean') {
    budget.spend(prices.application);
    return plan || fail(place, run, 'must not be there');
  }
  budget.spend(prices.application + prices.check * plan.checks.length);
  budget.enter();
  const inner = run.scope?.resource === plan.resource ? run : within(run, plan.resource);
  const own: Seen | undefined = run.isNoting ? { members: undefined, items: undefined } : undefined;
  let conforms = true;
  for (const check of plan.checks) {
    if (check(place, inner, own)) continue;
    conforms = false;
    if (isEnough(run)) break;
  }
  if (conforms && own !== undefined && seen !== undefined) add(own, seen, run);
  budget.leave();
  return conforms;
}

/** Records that a subschema has evaluated a member. */
export function noteMember(name: string, seen: Seen | undefined, { budget }: Run): void {
  if (seen === undefined) return;
  budget.spend(budget.prices.note);
  seen.members ??= new Set();
  seen.members.add(name);
}

/** Records that a subschema has evaluated an item. */
export function noteItem(index: number, seen: Seen | undefined, { budget }: Run): void {
  if (seen === undefined) return;
  budget.spend(budget.prices.note);
  seen.items ??= new Set();
  seen.items.add(index);
}

/** The same run without recording violations: only the outcome counts. */
export function silently(run: Run): Run {
  if (run.violations === undefined) return run;
  const { budget, scope, isTracking, isNoting } = run;
  return { budget, violations: undefined, scope, isTracking, isNoting };
}

/** Records a violation; always returns false. */
export function fail(place: Place, { violations }: Run, message: string): false {
  if (violations !== undefined && violations.length < maxViolations) violations.push({ path: pathOf(place), message });
  return false;
}

function isEnough({ violations }: Run): boolean {
  return violations === undefined || violations.length >= maxViolations;
}

function within(run: Run, resource: Resource): Run {
  run.budget.spend(run.budget.prices.resource);
  const { budget, violations, scope: outer, isTracking, isNoting } = run;
  return { budget, violations, scope: { resource, outer }, isTracking, isNoting };
}

function add(own: Seen, seen: Seen, { budget }: Run): void {
  budget.spend(budget.prices.handOn * ((own.members?.size ?? 0) + (own.items?.size ?? 0)));
  seen.members = union(seen.members, own.members);
  seen.items = union(seen.items, own.items);
}

/** Merges both sets, reusing one of them. The caller must not use the second afterwards. */
function union<T>(first: Set<T> | undefined, second: Set<T> | undefined): Set<T> | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  for (const each of second) first.add(each);
  return first;
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

import type { Budget } from './budget.js';
import type { Document, Resource } from './document.js';
import type { Draft } from './draft.js';
import { type JsonObject, pointerToken } from './json.js';
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
export type Check = (place: Place, run: Run, seen: Seen | undefined) => boolean;

/** A value and how it was reached. */
export interface Place {
  readonly value: unknown;
  readonly outer: Place | undefined;
  readonly key: string | number | undefined;
  /** The names of its members, once listed: of a large object that takes longer than anything done with them. */
  names: readonly string[] | undefined;
}

/** A value at its place. */
export function placeOf(value: unknown, outer?: Place, key?: string | number): Place {
  return { value, outer, key, names: undefined };
}

/** The names of the members of the object at a place. */
export function namesAt(place: Place, object: JsonObject, { budget }: Run): readonly string[] {
  if (place.names === undefined) {
    place.names = Object.keys(object);
    budget.spend(budget.prices.listedName * place.names.length);
  }
  return place.names;
}

/**
 * Members and items that an applied subschema has looked at, for `unevaluatedProperties` and `unevaluatedItems`. Most
 * subschemas look at one kind at most, so neither set is there before it is needed.
 */
export interface Seen {
  members: Set<string> | undefined;
  items: Set<number> | undefined;
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
  /** Whether what was seen is kept; the first version counts it even where nothing asks. */
  readonly isNoting: boolean;
}

export interface Scope {
  readonly resource: Resource;
  readonly outer: Scope | undefined;
}

const maxViolations = 50;

/**
 * Applies a subschema to a value. What it has seen is added to `seen` when the value conforms and the subschema stands
 * in the same place as who asks.
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

/** Notes a member that a subschema has looked at. */
export function noteMember(name: string, seen: Seen | undefined, { budget }: Run): void {
  if (seen === undefined) return;
  budget.spend(budget.prices.note);
  seen.members ??= new Set();
  seen.members.add(name);
}

/** Notes an item that a subschema has looked at. */
export function noteItem(index: number, seen: Seen | undefined, { budget }: Run): void {
  if (seen === undefined) return;
  budget.spend(budget.prices.note);
  seen.items ??= new Set();
  seen.items.add(index);
}

/** The same run where only the outcome counts. */
export function silently(run: Run): Run {
  if (run.violations === undefined) return run;
  const { budget, scope, isTracking, isNoting } = run;
  return { budget, violations: undefined, scope, isTracking, isNoting };
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
  run.budget.spend(run.budget.prices.resource);
  const { budget, violations, scope: outer, isTracking, isNoting } = run;
  return { budget, violations, scope: { resource, outer }, isTracking, isNoting };
}

function add(own: Seen, seen: Seen, { budget }: Run): void {
  budget.spend(budget.prices.handOn * ((own.members?.size ?? 0) + (own.items?.size ?? 0)));
  seen.members = union(seen.members, own.members);
  seen.items = union(seen.items, own.items);
}

/** Both sets as one. The second belongs to nobody else any more. */
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

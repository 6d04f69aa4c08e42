import { networkLimits } from '../network/limits.js';
import type { ValidationRules } from '../network/network-rules.js';

/** The version of step counting; fixed when a network is created. */
export type BudgetVersion = ValidationRules['budget'];

/**
 * The cost of each part of a validation, in units. Version 2 was measured: a step takes about a microsecond on a slow
 * machine, whatever schema and value are. Version 1 counts a subschema as one step and nearly everything else as a
 * hundredth; networks created with it keep it, since all nodes must count alike.
 */
export interface Prices {
  readonly unitsPerStep: number;
  /** Each byte of the text of a value, for parsing. */
  readonly byte: number;
  /** Applying a subschema to a value. */
  readonly application: number;
  /** Checking a keyword of an applied subschema. */
  readonly check: number;
  /** Entering a resource. */
  readonly resource: number;
  /** Searching a resource for a dynamic anchor. */
  readonly scope: number;
  /** Recording a member or item as evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
  readonly note: number;
  /** Passing an evaluated member or item on to the enclosing schema. */
  readonly handOn: number;
  /** Listing the name of a member. */
  readonly listedName: number;
  /** Visiting a member for `properties` and similar keywords. */
  readonly member: number;
  /** Counting a member. */
  readonly countedMember: number;
  /** Visiting a member for `propertyNames`. */
  readonly memberName: number;
  /** Visiting a member for `unevaluatedProperties`. */
  readonly unevaluatedMember: number;
  /** Visiting an item for `items`. */
  readonly item: number;
  /** Visiting an item for `contains`. */
  readonly containedItem: number;
  /** Visiting an item for `unevaluatedItems`. */
  readonly unevaluatedItem: number;
  /** Looking up a name in a value. */
  readonly lookup: number;
  /** Comparing an item with all items before it, for `uniqueItems`. */
  readonly uniqueItem: number;
  /** Each nested value of a value that is compared as a whole. */
  readonly comparedValue: number;
  /** Each character of such a value. */
  readonly comparedCharacter: number;
  /** Comparing two names, to sort members. */
  readonly nameOrder: number;
  /** Counting a character. */
  readonly character: number;
  /** Reading a character for a format. */
  readonly formatCharacter: number;
  /** Searching a text for a pattern, beside its characters. */
  readonly patternText: number;
  /** Reading a character with a pattern of this many states. */
  readonly patternCharacter: (states: number) => number;
  /** Testing for a multiple, unless both numbers are integers. */
  readonly multiple: number;
  /** Compiling a schema: a base price, bytes of its text, subschemas, and states of its patterns. */
  readonly schema: number;
  readonly schemaByte: number;
  readonly subschema: number;
  readonly patternState: number;
}

const firstPrices: Prices = {
  unitsPerStep: 100,
  byte: 0,
  application: 100,
  check: 0,
  resource: 0,
  scope: 1,
  note: 0,
  handOn: 1,
  listedName: 0,
  member: 1,
  countedMember: 1,
  memberName: 0,
  unevaluatedMember: 1,
  item: 1,
  containedItem: 0,
  unevaluatedItem: 1,
  lookup: 1,
  uniqueItem: 100,
  comparedValue: 0,
  comparedCharacter: 1,
  nameOrder: 0,
  character: 1,
  formatCharacter: 1,
  patternText: 0,
  patternCharacter: (states) => 1 + Math.floor(states / 16),
  multiple: 0,
  schema: 0,
  schemaByte: 0,
  subschema: 0,
  patternState: 0,
};

/** A unit is about a nanosecond. */
const measuredPrices: Prices = {
  unitsPerStep: 1_000,
  byte: 100,
  application: 250,
  check: 150,
  resource: 300,
  scope: 100,
  note: 300,
  handOn: 300,
  listedName: 1_000,
  member: 250,
  countedMember: 60,
  memberName: 250,
  unevaluatedMember: 300,
  item: 100,
  containedItem: 100,
  unevaluatedItem: 200,
  lookup: 100,
  uniqueItem: 1_500,
  comparedValue: 1_500,
  comparedCharacter: 40,
  nameOrder: 200,
  character: 15,
  formatCharacter: 500,
  patternText: 2_000,
  patternCharacter: (states) => 50 + 30 * states,
  multiple: 10_000,
  schema: 200_000,
  schemaByte: 500,
  subschema: 20_000,
  patternState: 10_000,
};

/** The size of a schema, which determines the cost of compiling it in each batch that uses it. */
export interface SchemaSize {
  readonly bytes: number;
  readonly subschemas: number;
  /** Total states of its patterns. */
  readonly states: number;
}

/** The steps charged for compiling a schema. */
export function stepsToCompile({ bytes, subschemas, states }: SchemaSize, version: BudgetVersion): number {
  const { unitsPerStep, schema, schemaByte, subschema, patternState } = pricesOf[version];
  return Math.ceil((schema + schemaByte * bytes + subschema * subschemas + patternState * states) / unitsPerStep);
}

/** The prices of each version. */
export const pricesOf: Readonly<Record<BudgetVersion, Prices>> = { 1: firstPrices, 2: measuredPrices };

/** Counts the cost of one validation. */
export interface Budget {
  readonly prices: Prices;
  /** Charges units. @throws BudgetSpent */
  spend(units: number): void;
  /** Enters a nested subschema; `leave` ends it. @throws BudgetSpent */
  enter(): void;
  leave(): void;
  /** The steps spent so far, at most the limit. */
  steps(): number;
}

/** Thrown when a validation costs more than the network allows; the value then does not conform, on any node. */
export class BudgetSpent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BudgetSpent';
  }
}

/**
 * Maximum nesting of applications: eight for each level of the deepest value. Far below the limit of the call stack, so
 * no node overflows it before this verdict.
 */
export const maxNesting = 8 * networkLimits.maxValueDepth;

/** Called again and again during a long validation, so that its thread can give way to others. */
export type GiveWay = () => void;

/** Steps between two calls of `GiveWay`: about a millisecond. */
const stepsAtOnce = 1_000;

/**
 * Creates a budget of `maxSteps` steps, counted by the prices of its version. `giveWay` has no influence on the result.
 */
export function createBudget(
  { budget, maxSteps }: Pick<ValidationRules, 'budget' | 'maxSteps'>,
  giveWay: GiveWay = () => undefined,
): Budget {
  const prices = pricesOf[budget];
  const { unitsPerStep } = prices;
  const unitsAtOnce = stepsAtOnce * unitsPerStep;
  let left = maxSteps * unitsPerStep;
  let next = left - unitsAtOnce;
  let depth = 0;
  return {
    prices,
    spend(units) {
      left -= units;
      if (left < 0) throw new BudgetSpent(`takes more than ${maxSteps} steps to validate`);
      if (left < next) {
        next = left - unitsAtOnce;
        giveWay();
      }
    },
    enter() {
      depth += 1;
      if (depth > maxNesting) throw new BudgetSpent(`needs more than ${maxNesting} schemas within one another`);
    },
    leave() {
      depth -= 1;
    },
    steps: () => maxSteps - Math.floor(Math.max(0, left) / unitsPerStep),
  };
}

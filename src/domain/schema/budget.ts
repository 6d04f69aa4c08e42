import { networkLimits } from '../limits.js';
import type { ValidationRules } from '../network-rules.js';

/** How the steps of a validation are counted; fixed when a network is created. */
export type BudgetVersion = ValidationRules['budget'];

/**
 * What each part of a validation costs, in units. The second version was measured: with it a step is about a
 * microsecond of a slow machine, whatever the schema and the value make of it. The first counts a subschema as one step
 * and nearly everything else as a hundredth; networks that began with it keep it, since all nodes must count alike.
 */
export interface Prices {
  readonly unitsPerStep: number;
  /** Each byte of the text of a value, which is parsed. */
  readonly byte: number;
  /** A subschema that is applied to a value. */
  readonly application: number;
  /** A keyword of a subschema that is applied. */
  readonly check: number;
  /** A resource that is entered. */
  readonly resource: number;
  /** A resource that is looked through for a dynamic anchor. */
  readonly scope: number;
  /** A member or item that is noted as seen, for `unevaluatedProperties` and `unevaluatedItems`. */
  readonly note: number;
  /** One that is handed on to the schema that asked. */
  readonly handOn: number;
  /** A name of a member, when they are listed. */
  readonly listedName: number;
  /** A member of a value that `properties` and its like go through. */
  readonly member: number;
  /** A member that is counted. */
  readonly countedMember: number;
  /** A member that `propertyNames` goes through. */
  readonly memberName: number;
  /** A member that `unevaluatedProperties` goes through. */
  readonly unevaluatedMember: number;
  /** An item that `items` goes through. */
  readonly item: number;
  /** An item that `contains` goes through. */
  readonly containedItem: number;
  /** An item that `unevaluatedItems` goes through. */
  readonly unevaluatedItem: number;
  /** A name that is looked up in a value. */
  readonly lookup: number;
  /** An item that `uniqueItems` compares with all before it. */
  readonly uniqueItem: number;
  /** A value within a value that is compared as a whole. */
  readonly comparedValue: number;
  /** A character of such a value. */
  readonly comparedCharacter: number;
  /** A comparison of two names, made to put members in order. */
  readonly nameOrder: number;
  /** A character that is counted. */
  readonly character: number;
  /** A character that a format reads. */
  readonly formatCharacter: number;
  /** A text that a pattern is looked for in, beside its characters. */
  readonly patternText: number;
  /** A character that a pattern of so many states reads. */
  readonly patternCharacter: (states: number) => number;
  /** A number of which it is asked whether it is a multiple, unless both are whole. */
  readonly multiple: number;
  /** A schema that is compiled: bytes of its text, its subschemas, and the states of its patterns. */
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

/** What compiling a schema costs, which is counted for each batch that uses it. */
export interface SchemaSize {
  readonly bytes: number;
  readonly subschemas: number;
  /** Of its patterns together. */
  readonly states: number;
}

/** The steps that compiling a schema counts. */
export function stepsToCompile({ bytes, subschemas, states }: SchemaSize, version: BudgetVersion): number {
  const { unitsPerStep, schema, schemaByte, subschema, patternState } = pricesOf[version];
  return Math.ceil((schema + schemaByte * bytes + subschema * subschemas + patternState * states) / unitsPerStep);
}

/** The prices of each version. */
export const pricesOf: Readonly<Record<BudgetVersion, Prices>> = { 1: firstPrices, 2: measuredPrices };

/** Counts what a validation costs. */
export interface Budget {
  readonly prices: Prices;
  /** @throws BudgetSpent */
  spend(units: number): void;
  /** A subschema is applied within others, until it is left again. @throws BudgetSpent */
  enter(): void;
  leave(): void;
  /** The steps spent so far, at most all there were. */
  steps(): number;
}

/** A validation that costs more than the network allows; the value does not conform, on any node. */
export class BudgetSpent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BudgetSpent';
  }
}

/**
 * How deep applications may nest: eight for each level of the deepest value. Far less than what the stack holds, so no
 * node runs out of it before it comes to this verdict.
 */
export const maxNesting = 8 * networkLimits.maxValueDepth;

/** A budget of so many steps, counted by the prices of its version. */
export function createBudget({ budget, maxSteps }: Pick<ValidationRules, 'budget' | 'maxSteps'>): Budget {
  const prices = pricesOf[budget];
  const { unitsPerStep } = prices;
  let left = maxSteps * unitsPerStep;
  let depth = 0;
  return {
    prices,
    spend(units) {
      left -= units;
      if (left < 0) throw new BudgetSpent(`takes more than ${maxSteps} steps to validate`);
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

import { ServiceError } from '../wire/error.js';
import { valueOf } from '../wire/json.js';
import type { JsonText } from '../wire/scalar.js';
import { sha256 } from './hash.js';
import { networkLimits } from './limits.js';
import { type CheckSchema, createCheckSchema } from './schema/draft.js';
import { readDocument } from './schema/document.js';
import type { ValidationRules } from './network-rules.js';
import { BudgetSpent, createBudget, stepsToCompile } from './schema/budget.js';
import { apply, placeOf, type Violation } from './schema/evaluate.js';
import { SchemaFault } from './schema/fault.js';
import { isObject } from './schema/json.js';
import { makePlan } from './schema/plan.js';

/** A JSON schema that values can be held against. */
export interface Datatype {
  /** The steps that compiling its schema counts where a batch uses it. */
  readonly steps: number;
  /**
   * What is wrong with a value, and how many steps it took to say so. The answer depends on schema, value and rules
   * alone: it is the same on every node, however fast (assurance S17). It never throws.
   */
  validate(value: JsonText, rules: Pick<ValidationRules, 'budget' | 'maxSteps'>): Validation;
}

/** The outcome of a validation, as plain data. */
export interface Validation {
  /** At most 50; none when the value conforms. */
  readonly violations: readonly Violation[];
  readonly steps: number;
  /** Whether it ended because it took more than the rules allow; then there is one violation, which says so. */
  readonly isCut: boolean;
}

/** Compiled schemas; the ones used last are kept. */
export interface Datatypes {
  /**
   * @throws ServiceError bad_schema: not an object, above the network's limits, of no known draft, with a reference to
   * what is not in it, or with a pattern that is not of the RE2 kind (S §4.5)
   */
  compile(schema: JsonText, rules: Pick<ValidationRules, 'budget'>): Datatype;
}

const maxKept = 200;

/** A cache of compiled schemas that is empty at first. */
export function createDatatypes(): Datatypes {
  const kept = new Map<string, Datatype>();
  const check = createCheckSchema();
  return {
    compile(schema, { budget }) {
      const key = `${budget}/${sha256(schema)}`;
      const datatype = kept.get(key) ?? rememberLarge(compile(schema, budget, check));
      // The map is in order of use: what has not been used for longest goes first.
      kept.delete(key);
      kept.set(key, datatype);
      for (const oldest of kept.keys()) {
        if (kept.size <= maxKept) break;
        kept.delete(oldest);
      }
      return datatype;
    },
  };
}

/** Bytes of a value from which a validation is remembered. */
const minRemembered = 4_096;
/** How many validations are remembered of a schema. */
const maxRemembered = 20;

/**
 * A datatype that holds a large value against its schema once: a value of our own is judged when it is accepted, and
 * again with its batch. What has conformed in so many steps does so within every limit that is not less.
 */
function rememberLarge({ steps, validate }: Datatype): Datatype {
  const conforming = new Map<string, Validation>();
  return {
    steps,
    validate(value, rules) {
      if (value.length < minRemembered) return validate(value, rules);
      const key = `${rules.budget}/${sha256(value)}`;
      const known = conforming.get(key);
      if (known !== undefined && known.steps <= rules.maxSteps) return known;
      const validation = validate(value, rules);
      if (validation.violations.length > 0) return validation;
      conforming.set(key, validation);
      for (const oldest of conforming.keys()) {
        if (conforming.size <= maxRemembered) break;
        conforming.delete(oldest);
      }
      return validation;
    },
  };
}

function compile(text: JsonText, version: ValidationRules['budget'], check: CheckSchema): Datatype {
  try {
    const sizeBytes = Buffer.byteLength(text);
    if (sizeBytes > networkLimits.maxSchemaBytes) {
      throw new SchemaFault(`it is ${sizeBytes} bytes, of at most ${networkLimits.maxSchemaBytes}`);
    }
    const schema = valueOf(text);
    if (!isObject(schema)) throw new SchemaFault('it is not an object');
    const document = readDocument(schema, version, check);
    const { plan, isTracking, states } = makePlan(document, version);
    return {
      steps: stepsToCompile({ bytes: sizeBytes, subschemas: document.subschemas.size, states }, version),
      validate(value, rules) {
        const violations: Violation[] = [];
        const budget = createBudget(rules);
        const isNoting = isTracking || rules.budget === 1;
        try {
          budget.spend(budget.prices.byte * value.length);
          apply(plan, placeOf(valueOf(value)), { budget, violations, scope: undefined, isTracking, isNoting });
        } catch (error) {
          if (!(error instanceof BudgetSpent)) throw error;
          return { violations: [{ path: '', message: error.message }], steps: budget.steps(), isCut: true };
        }
        return { violations, steps: budget.steps(), isCut: false };
      },
    };
  } catch (error) {
    if (error instanceof SchemaFault) throw new ServiceError('bad_schema', { problem: error.message });
    throw error;
  }
}

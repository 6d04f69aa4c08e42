import { ServiceError } from '../wire/errors/error.js';
import { valueOf } from '../wire/json/json.js';
import type { JsonText } from '../wire/scalar.js';
import { sha256 } from './hash.js';
import { networkLimits } from './network/limits.js';
import { type CheckSchema, createCheckSchema } from './schema/draft.js';
import { readDocument } from './schema/document.js';
import type { ValidationRules } from './network/network-rules.js';
import { BudgetSpent, createBudget, type GiveWay, stepsToCompile } from './schema/budget.js';
import { apply, placeOf, type Violation } from './schema/evaluate.js';
import { SchemaFault } from './schema/fault.js';
import { isObject } from './schema/json.js';
import { makePlan } from './schema/plan.js';

/** A compiled JSON schema that validates values. */
export interface Datatype {
  /** Steps charged for compiling the schema in each batch that uses it. */
  readonly steps: number;
  /**
   * Validates a value and counts the steps it takes. The answer depends on schema, value and rules alone: it is the
   * same on every node, however fast (docs/architecture.md §12.3). It never throws.
   */
  validate(value: JsonText, rules: Pick<ValidationRules, 'budget' | 'maxSteps'>): Validation;
}

/** The outcome of a validation, as plain data. */
export interface Validation {
  /** At most 50; empty if the value conforms. */
  readonly violations: readonly Violation[];
  readonly steps: number;
  /** Whether validation ended because it exceeded the limit on steps; then there is one violation, which says so. */
  readonly isCut: boolean;
}

/** A cache of compiled schemas that keeps the most recently used. */
export interface Datatypes {
  /**
   * Compiles a schema.
   *
   * @throws ServiceError bad_schema: not an object, above the network's limits, of an unknown draft, with an
   * unresolvable reference, or with a pattern that RE2 does not accept (docs/protocol.md §10.1)
   */
  compile(schema: JsonText, rules: Pick<ValidationRules, 'budget'>): Datatype;
}

const maxKept = 200;

/** Creates an empty cache of compiled schemas. */
export function createDatatypes(giveWay?: GiveWay): Datatypes {
  const kept = new Map<string, Datatype>();
  const check = createCheckSchema();
  return {
    compile(schema, { budget }) {
      const key = `${budget}/${sha256(schema)}`;
      const datatype = kept.get(key) ?? rememberLarge(compile(schema, budget, { check, giveWay }));
      // The map is in order of use: the least recently used goes first.
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

/** Size in bytes from which the validation of a value is cached. */
const minRemembered = 4_096;
/** Number of validations cached per schema. */
const maxRemembered = 20;

/**
 * Caches validations of large values: a value of this node is validated when it is accepted, and again with its batch.
 * A value that conformed within some number of steps does so within every limit that is not lower.
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

interface CompileParts {
  readonly check: CheckSchema;
  readonly giveWay: GiveWay | undefined;
}

function compile(text: JsonText, version: ValidationRules['budget'], { check, giveWay }: CompileParts): Datatype {
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
        const budget = createBudget(rules, giveWay);
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

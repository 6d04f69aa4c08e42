import { ServiceError } from '../wire/error.js';
import { valueOf } from '../wire/json.js';
import type { JsonText } from '../wire/scalar.js';
import { sha256 } from './hash.js';
import { networkLimits } from './limits.js';
import { type CheckSchema, createCheckSchema } from './schema/draft.js';
import { readDocument } from './schema/document.js';
import { apply, BudgetSpent, createBudget, type Violation } from './schema/evaluate.js';
import { SchemaFault } from './schema/fault.js';
import { isObject } from './schema/json.js';
import { makePlan } from './schema/plan.js';

/** A JSON schema that values can be held against. */
export interface Datatype {
  /**
   * What is wrong with a value, at most 50 findings; none when it conforms. The answer depends on schema and value
   * alone: it is the same on every node, however fast (assurance S17). It never throws.
   */
  validate(value: JsonText): readonly Violation[];
}

/** Compiled schemas; the ones used last are kept. */
export interface Datatypes {
  /**
   * @throws ServiceError bad_schema: not an object, above the network's limits, of no known draft, with a reference to
   * what is not in it, or with a pattern that is not of the RE2 kind (S §4.5)
   */
  compile(schema: JsonText): Datatype;
}

const maxKept = 200;

/** A cache of compiled schemas that is empty at first. */
export function createDatatypes(): Datatypes {
  const kept = new Map<string, Datatype>();
  const check = createCheckSchema();
  return {
    compile(schema) {
      const key = sha256(schema);
      const datatype = kept.get(key) ?? compile(schema, check);
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

function compile(text: JsonText, check: CheckSchema): Datatype {
  try {
    const sizeBytes = Buffer.byteLength(text);
    if (sizeBytes > networkLimits.maxSchemaBytes) {
      throw new SchemaFault(`it is ${sizeBytes} bytes, of at most ${networkLimits.maxSchemaBytes}`);
    }
    const schema = valueOf(text);
    if (!isObject(schema)) throw new SchemaFault('it is not an object');
    const { plan, isTracking } = makePlan(readDocument(schema, check));
    return {
      validate(value) {
        const violations: Violation[] = [];
        try {
          apply(plan, { value: valueOf(value) }, { budget: createBudget(), violations, scope: undefined, isTracking });
        } catch (error) {
          if (!(error instanceof BudgetSpent)) throw error;
          return [{ path: '', message: error.message }];
        }
        return violations;
      },
    };
  } catch (error) {
    if (error instanceof SchemaFault) throw new ServiceError('bad_schema', { problem: error.message });
    throw error;
  }
}

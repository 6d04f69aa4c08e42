import type { PlainError } from '../../wire/errors/error-again.js';
import type { JsonText } from '../../wire/scalar.js';
import type { Datatypes } from '../datatype.js';
import type { ValidationRules } from '../network/network-rules.js';

/** A value that names a datatype. */
export interface TypedValue {
  /** Its index among the items of the message. */
  readonly index: number;
  /** Name and version. */
  readonly datatype: string;
  /** Index of its schema in the batch; undefined if no such datatype precedes the batch. */
  readonly schema: number | undefined;
  readonly value: JsonText;
}

/** The messages of a batch that name datatypes, as plain data. */
export interface TypedBatch {
  /** Each schema once. */
  readonly schemas: readonly JsonText[];
  /** The typed values of each message, in the order of the batch. */
  readonly messages: readonly (readonly TypedValue[])[];
}

/** The outcome for one message, as plain data. */
export interface TypedVerdict {
  readonly refusal: PlainError | undefined;
  /** Steps taken, including the compilation of schemas. */
  readonly steps: number;
}

/** Builds a batch of the typed values of one message. */
export function typedBatchOf(
  values: readonly (Omit<TypedValue, 'schema'> & { readonly schema: JsonText | undefined })[],
): TypedBatch {
  const schemas = [...new Set(values.flatMap(({ schema }) => schema ?? []))];
  const message = values.map(({ schema, ...rest }) => {
    return { ...rest, schema: schema === undefined ? undefined : schemas.indexOf(schema) };
  });
  return { schemas, messages: [message] };
}

/**
 * Validates the typed values of a batch against their datatypes, message by message. A missing datatype is reported
 * before a violation, and the first refusal ends the work on a message.
 *
 * The steps of all values are added up, including those of compiling each schema once. The message at which the sum
 * exceeds the limit for a batch is refused, and so is each message after it. The verdicts depend only on the batch and
 * the rules, so every node gets the same.
 */
export function judgeTyped(
  datatypes: Datatypes,
  { schemas, messages }: TypedBatch,
  rules: ValidationRules,
): readonly TypedVerdict[] {
  const { maxSteps, maxBatchSteps: max = Infinity } = rules;
  const compiled = new Set<number>();
  let left = max;

  function judgeMessage(values: readonly TypedValue[]): PlainError | undefined {
    if (left < 0) return tooManySteps(max);
    const missing = values.find(({ schema }) => schema === undefined);
    if (missing !== undefined) {
      return { reason: 'datatype_unknown', fields: { index: missing.index, datatype: missing.datatype } };
    }
    for (const value of values) {
      const refusal = judgeValue(value);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  function judgeValue({ index, datatype: name, schema = 0, value }: TypedValue): PlainError | undefined {
    const datatype = datatypes.compile(schemas[schema] ?? value, rules);
    if (!compiled.has(schema)) left -= datatype.steps;
    compiled.add(schema);
    if (left < 0) return tooManySteps(max);
    const { violations, steps, isCut } = datatype.validate(value, { ...rules, maxSteps: Math.min(maxSteps, left) });
    left -= steps;
    if (isCut && left <= 0) {
      left = -1;
      return tooManySteps(max);
    }
    const [first, ...others] = violations;
    if (first === undefined) return undefined;
    const hint = others.length === 0 ? '' : `, and ${others.length} more`;
    const place = first.path === '' ? 'it' : `at "${first.path}" it`;
    const fields = { index, datatype: name, place, message: first.message, hint };
    return { reason: 'value_breaks_schema', fields };
  }

  return messages.map((values) => {
    const before = Math.max(0, left);
    const refusal = judgeMessage(values);
    return { refusal, steps: before === Infinity ? 0 : before - Math.max(0, left) };
  });
}

function tooManySteps(max: number): PlainError {
  return { reason: 'too_many_steps', fields: { max } };
}

import { type PlainError, serviceErrorOf } from '../wire/error-again.js';
import { isServiceError, ServiceError } from '../wire/error.js';
import type { JsonText } from '../wire/scalar.js';
import { readAbi } from './contract-abi.js';
import { type ReadInterface, readInterfaceDefinition } from './contract-definition.js';
import { completeParts, type InterfaceParts, partsOfAbi } from './contract-ffi.js';
import { createDatatypes } from './datatype.js';
import type { Reading } from './definition.js';
import type { NetworkRules } from './network-rules.js';
import type { Violation } from './schema/evaluate.js';
import { type BatchVerdict, type PinnedFacts, verifyBatch } from './verify.js';

/** A value and the schema that it is held against. */
export interface TypedValue {
  readonly schema: JsonText;
  readonly value: JsonText;
}

/**
 * What costs as much to judge as its author wants, by kind: what is asked, and what is answered. Both are plain data,
 * since they may cross to another thread.
 */
interface Judgements {
  /** Whether a text is the schema of a datatype. */
  readonly schema: { readonly input: JsonText; readonly answer: SchemaAnswer };
  /** What is wrong with a value. */
  readonly value: { readonly input: TypedValue; readonly answer: readonly Violation[] };
  /** What the definition of an interface says, as others have written it. */
  readonly interface: {
    readonly input: DefinedInterface;
    readonly answer: Reading<ReadInterface>;
  };
  /** The parts of a caller's interface, completed. Throws what `completeParts` does. */
  readonly parts: { readonly input: InterfaceParts; readonly answer: InterfaceParts };
  /** The parts of an interface that an ABI stands for. Throws what `readAbi` does. */
  readonly abi: { readonly input: JsonText; readonly answer: InterfaceParts };
  /** Whether the payload of a batch holds. */
  readonly batch: {
    readonly input: { readonly text: string; readonly facts: PinnedFacts };
    readonly answer: BatchVerdict;
  };
}

/** The definition of an interface as others have written it. */
export interface DefinedInterface {
  readonly topics: readonly string[];
  readonly text: JsonText;
  readonly rules: Pick<NetworkRules, 'interfaces'>;
}

/** Why a text is no schema. */
export interface SchemaAnswer {
  readonly problem?: string;
}

export type Kind = keyof Judgements;
export type InputOf<K extends Kind> = Judgements[K]['input'];
export type AnswerOf<K extends Kind> = Judgements[K]['answer'];

/** Judges at once, and remembers compiled schemas. */
export type Judgement = <K extends Kind>(kind: K, input: InputOf<K>) => AnswerOf<K>;

/** Every judgement. The answer depends on the input alone, wherever and whenever it is asked for. */
export function createJudgement(): Judgement {
  const datatypes = createDatatypes();
  const table: { readonly [K in Kind]: (input: InputOf<K>) => AnswerOf<K> } = {
    schema(text) {
      try {
        datatypes.compile(text);
        return {};
      } catch (error) {
        if (!isServiceError(error, 'bad_schema')) throw error;
        return { problem: String(error.fields['problem']) };
      }
    },
    value: ({ schema, value }) => datatypes.compile(schema).validate(value),
    interface: ({ topics, text, rules }) => readInterfaceDefinition(topics, text, rules),
    parts: completeParts,
    abi: (text) => partsOfAbi(readAbi(text)),
    batch: ({ text, facts }) => verifyBatch(text, facts),
  };
  return (kind, input) => table[kind](input);
}

/** Characters of JSON that are read and checked within a few milliseconds. */
const smallText = 16_384;
/** A payload is read, and hashed once. */
const smallPayload = 65_536;
/** A schema without references is applied to no place of a value twice, which makes so many applications at most. */
const smallProduct = 262_144;

/**
 * References multiply, patterns compile to a multiple of their length, and some keywords look at a value more than once
 * or for long; a backslash may hide any of them.
 */
const multiplying = /\\|pattern|Pattern|uniqueItems|unevaluated|multipleOf|\$(?!schema"|id"|comment")/;

function isSimple(schema: JsonText): boolean {
  return schema.length <= smallText && !multiplying.test(schema);
}

const small: { readonly [K in Kind]: (input: InputOf<K>) => boolean } = {
  schema: isSimple,
  value: ({ schema, value }) => isSimple(schema) && schema.length * value.length <= smallProduct,
  interface: ({ text }) => text.length <= smallText,
  parts: (parts) => lengthOf(parts) <= smallText,
  abi: (text) => text.length <= smallText,
  batch: ({ text }) => text.length <= smallPayload,
};

/** About as many characters as the parts are as JSON. */
function lengthOf({ methods, events, errors }: InterfaceParts): number {
  const lists = [...methods.flatMap(({ params, returns }) => [params, returns]), ...events.map(({ params }) => params)];
  const parameters = [...lists, ...errors.map(({ params }) => params)].flat();
  const own = [...methods, ...events, ...errors].reduce((sum, { name }) => sum + name.length + partOverhead, 0);
  return parameters.reduce((sum, { name, schema }) => sum + name.length + schema.length + partOverhead, own);
}

const partOverhead = 32;

/** Whether a judgement takes no more than a few milliseconds, whoever has written what it is about. */
export function isSmall<K extends Kind>(kind: K, input: InputOf<K>): boolean {
  return small[kind](input);
}

/** What came of a judgement, as it crosses from one thread to another. */
export type Outcome = { readonly answer: unknown } | { readonly refusal: PlainError } | { readonly defect: string };

/** Runs a judgement; nothing is thrown. */
export function outcomeOf<K extends Kind>(judge: Judgement, kind: K, input: InputOf<K>): Outcome {
  try {
    return { answer: judge(kind, input) };
  } catch (error) {
    if (error instanceof ServiceError) return { refusal: { reason: error.reason, fields: error.fields } };
    return { defect: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** The refusal of a judgement as it was thrown. */
export function refusalOf({ refusal }: Extract<Outcome, { refusal: unknown }>): ServiceError {
  return serviceErrorOf(refusal);
}

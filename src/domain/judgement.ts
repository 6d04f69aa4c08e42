import { type PlainError, serviceErrorOf } from '../wire/error-again.js';
import { isServiceError, type ServiceError } from '../wire/error.js';
import type { JsonText } from '../wire/scalar.js';
import { readAbi } from './contract-abi.js';
import { type ReadInterface, readInterfaceDefinition } from './contract-definition.js';
import { completeParts, type InterfaceParts, partsOfAbi } from './contract-ffi.js';
import { createDatatypes } from './datatype.js';
import type { Reading } from './definition.js';
import type { NetworkRules, ValidationRules } from './network-rules.js';
import type { Violation } from './schema/evaluate.js';
import { judgeTyped, type TypedBatch, type TypedVerdict } from './typed-batch.js';
import { type Opened, openEnvelope } from './envelope.js';
import { type ExaminedPayload, examinePayload } from './verify.js';

/** The schema of a datatype, as the rules of a network take it. */
export interface SchemaQuestion {
  readonly schema: JsonText;
  readonly rules: ValidationRules;
}

/**
 * What costs as much to judge as its author wants, by kind: what is asked, and what is answered. Both are plain data,
 * since they may cross to another thread.
 */
interface Judgements {
  /** Whether a text is the schema of a datatype. */
  readonly schema: { readonly input: SchemaQuestion; readonly answer: SchemaAnswer };
  /** What is wrong with a value. */
  readonly value: {
    readonly input: SchemaQuestion & { readonly value: JsonText };
    readonly answer: readonly Violation[];
  };
  /** What comes of the messages of a batch for the values that name a datatype. */
  readonly typed: {
    readonly input: { readonly batch: TypedBatch; readonly rules: ValidationRules };
    readonly answer: readonly TypedVerdict[];
  };
  /** What the definition of an interface says, as others have written it. */
  readonly interface: {
    readonly input: DefinedInterface;
    readonly answer: Reading<ReadInterface>;
  };
  /** The parts of a caller's interface, completed. Throws what `completeParts` does. */
  readonly parts: { readonly input: InterfaceParts; readonly answer: InterfaceParts };
  /** The parts of an interface that an ABI stands for. Throws what `readAbi` does. */
  readonly abi: { readonly input: JsonText; readonly answer: InterfaceParts };
  /** The payload of a batch, and whether it holds in itself. */
  readonly payload: { readonly input: string; readonly answer: ExaminedPayload };
  /** An envelope of a peer. */
  readonly envelope: { readonly input: string; readonly answer: Opened };
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
    schema({ schema, rules }) {
      try {
        datatypes.compile(schema, rules);
        return {};
      } catch (error) {
        if (!isServiceError(error, 'bad_schema')) throw error;
        return { problem: String(error.fields['problem']) };
      }
    },
    value: ({ schema, value, rules }) => datatypes.compile(schema, rules).validate(value, rules).violations,
    typed: ({ batch, rules }) => judgeTyped(datatypes, batch, rules),
    interface: ({ topics, text, rules }) => readInterfaceDefinition(topics, text, rules),
    parts: completeParts,
    abi: (text) => partsOfAbi(readAbi(text)),
    payload: examinePayload,
    envelope: openEnvelope,
  };
  return (kind, input) => table[kind](input);
}

/** Characters of JSON that are read and checked within a few milliseconds. */
const smallText = 16_384;
/** A payload, or an envelope, is read, and hashed once. */
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
  schema: ({ schema }) => isSimple(schema),
  value: ({ schema, value }) => isSimple(schema) && schema.length * value.length <= smallProduct,
  typed: ({ batch }) => batch.schemas.every(isSimple) && productOf(batch) <= smallProduct,
  interface: ({ text }) => text.length <= smallText,
  parts: (parts) => lengthOf(parts) <= smallText,
  abi: (text) => text.length <= smallText,
  payload: (text) => text.length <= smallPayload,
  envelope: (text) => text.length <= smallPayload,
};

/** What the schemas of a batch and the values held against them multiply to. */
function productOf({ schemas, messages }: TypedBatch): number {
  const held = messages.flat().flatMap(({ schema, value }) => (schema === undefined ? [] : [{ schema, value }]));
  return held.reduce((sum, { schema, value }) => sum + (schemas[schema]?.length ?? 0) * value.length, 0);
}

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
    if (isServiceError(error)) return { refusal: { reason: error.reason, fields: error.fields } };
    return { defect: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** The refusal of a judgement as it was thrown. */
export function refusalOf({ refusal }: Extract<Outcome, { refusal: unknown }>): ServiceError {
  return serviceErrorOf(refusal);
}

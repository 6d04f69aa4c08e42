import { type PlainError, serviceErrorOf } from '../wire/errors/error-again.js';
import { isServiceError, type ServiceError } from '../wire/errors/error.js';
import type { JsonText } from '../wire/scalar.js';
import { readAbi } from './contracts/abi.js';
import { type ReadInterface, readInterfaceDefinition } from './contracts/definition.js';
import { completeParts, type InterfaceParts, partsOfAbi } from './contracts/ffi.js';
import { createDatatypes } from './datatype.js';
import type { Reading } from './definition.js';
import type { NetworkRules, ValidationRules } from './network/network-rules.js';
import type { GiveWay } from './schema/budget.js';
import type { Violation } from './schema/evaluate.js';
import { judgeTyped, type TypedBatch, type TypedVerdict } from './messages/typed-batch.js';
import { type Opened, openEnvelope } from './messages/envelope.js';
import { type ExaminedPayload, examinePayload } from './messages/verify.js';

/** The schema of a datatype, and the rules of the network to apply. */
export interface SchemaQuestion {
  readonly schema: JsonText;
  readonly rules: ValidationRules;
}

/**
 * Judgements whose cost depends on untrusted input, by kind. Inputs and answers are plain data, so that they can cross
 * to another thread.
 */
interface Judgements {
  /** Checks whether a text is the schema of a datatype. */
  readonly schema: { readonly input: SchemaQuestion; readonly answer: SchemaAnswer };
  /** Validates a value. */
  readonly value: {
    readonly input: SchemaQuestion & { readonly value: JsonText };
    readonly answer: readonly Violation[];
  };
  /** Validates the values of a batch that name a datatype. */
  readonly typed: {
    readonly input: { readonly batch: TypedBatch; readonly rules: ValidationRules };
    readonly answer: readonly TypedVerdict[];
  };
  /** Reads the definition of an interface from another party. */
  readonly interface: {
    readonly input: DefinedInterface;
    readonly answer: Reading<ReadInterface>;
  };
  /** Completes the parts of a caller's interface. Throws like `completeParts`. */
  readonly parts: { readonly input: InterfaceParts; readonly answer: InterfaceParts };
  /** Converts an ABI to the parts of an interface. Throws like `readAbi`. */
  readonly abi: { readonly input: JsonText; readonly answer: InterfaceParts };
  /** Parses the payload of a batch and checks that it is consistent in itself. */
  readonly payload: { readonly input: string; readonly answer: ExaminedPayload };
  /** Opens an envelope from a peer. */
  readonly envelope: { readonly input: string; readonly answer: Opened };
}

/** The definition of an interface from another party. */
export interface DefinedInterface {
  readonly topics: readonly string[];
  readonly text: JsonText;
  readonly rules: Pick<NetworkRules, 'interfaces'>;
}

/** The reason why a text is not a schema, if it is not. */
export interface SchemaAnswer {
  readonly problem?: string;
}

export type Kind = keyof Judgements;
export type InputOf<K extends Kind> = Judgements[K]['input'];
export type AnswerOf<K extends Kind> = Judgements[K]['answer'];

/** Judges synchronously, with a cache of compiled schemas. */
export type Judgement = <K extends Kind>(kind: K, input: InputOf<K>) => AnswerOf<K>;

/** Creates the function that makes every judgement. The answer depends on the input alone. */
export function createJudgement(giveWay?: GiveWay): Judgement {
  const datatypes = createDatatypes(giveWay);
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

/** Length of JSON, in characters, that is read and checked within a few milliseconds. */
const smallText = 16_384;
/** Limit for a payload or an envelope, which is parsed and hashed once. */
const smallPayload = 65_536;
/**
 * Limit of schema length × value length. A schema without references is never applied twice to the same place of a
 * value, so this bounds the number of applications.
 */
const smallProduct = 262_144;

/**
 * Keywords that make validation superlinear: references multiply, patterns compile to a multiple of their length, and
 * some keywords visit a value repeatedly. A backslash may hide any of them.
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

/** Sum of schema length × value length over the values of a batch. */
function productOf({ schemas, messages }: TypedBatch): number {
  const held = messages.flat().flatMap(({ schema, value }) => (schema === undefined ? [] : [{ schema, value }]));
  return held.reduce((sum, { schema, value }) => sum + (schemas[schema]?.length ?? 0) * value.length, 0);
}

/** Approximate length of the parts as JSON, in characters. */
function lengthOf({ methods, events, errors }: InterfaceParts): number {
  const lists = [...methods.flatMap(({ params, returns }) => [params, returns]), ...events.map(({ params }) => params)];
  const parameters = [...lists, ...errors.map(({ params }) => params)].flat();
  const own = [...methods, ...events, ...errors].reduce((sum, { name }) => sum + name.length + partOverhead, 0);
  return parameters.reduce((sum, { name, schema }) => sum + name.length + schema.length + partOverhead, own);
}

const partOverhead = 32;

/** Whether a judgement takes no more than a few milliseconds for any input of this size. */
export function isSmall<K extends Kind>(kind: K, input: InputOf<K>): boolean {
  return small[kind](input);
}

/** The outcome of a judgement, in a form that can cross from one thread to another. */
export type JudgementOutcome =
  { readonly answer: unknown } | { readonly refusal: PlainError } | { readonly defect: string };

/** Runs a judgement; never throws. */
export function outcomeOf<K extends Kind>(judge: Judgement, kind: K, input: InputOf<K>): JudgementOutcome {
  try {
    return { answer: judge(kind, input) };
  } catch (error) {
    if (isServiceError(error)) return { refusal: { reason: error.reason, fields: error.fields } };
    return { defect: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** Restores the error of a refused judgement. */
export function refusalOf({ refusal }: Extract<JudgementOutcome, { refusal: unknown }>): ServiceError {
  return serviceErrorOf(refusal);
}

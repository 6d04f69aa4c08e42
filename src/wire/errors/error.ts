import { errors } from './error-table.js';
import { fillSentence } from './sentence.js';

export type ErrorName = keyof typeof errors;

type FieldsOf<Text extends string> = Text extends `${string}{{${infer Rest}`
  ? FieldsOf<Rest>
  : Text extends `${string}{${infer Field}}${infer Rest}`
    ? Field | FieldsOf<Rest>
    : never;
type Fields<Name extends ErrorName> = { readonly [F in FieldsOf<(typeof errors)[Name][2]>]: string | number };
type FieldArguments<Name extends ErrorName> = keyof Fields<Name> extends never ? [] : [fields: Fields<Name>];

/** An error that the caller can correct or must know about; it is served as `{"error":"<code>: <text>"}`. */
export class ServiceError<Name extends ErrorName = ErrorName> extends Error {
  readonly reason: Name;
  readonly code: string;
  readonly status: number;
  /** The sentence without the code, on one line. */
  readonly text: string;
  /** The values that fill the sentence. */
  readonly fields: Readonly<Record<string, string | number>>;

  constructor(reason: Name, ...[fields]: FieldArguments<Name>) {
    const [code, status, template] = errors[reason];
    const text = fillSentence(template, fields ?? {});
    super(`${code}: ${text}`);
    this.name = 'ServiceError';
    this.reason = reason;
    this.code = code;
    this.status = status;
    this.text = text;
    this.fields = fields ?? {};
  }
}

/** Whether a thrown value is a ServiceError, optionally of the given name. */
export function isServiceError(thrown: unknown): thrown is ServiceError;
export function isServiceError<Name extends ErrorName>(thrown: unknown, reason: Name): thrown is ServiceError<Name>;
export function isServiceError(thrown: unknown, reason?: ErrorName): boolean {
  return thrown instanceof ServiceError && (reason === undefined || thrown.reason === reason);
}

import type { FlagInput } from '@oclif/core/interfaces';

/** The values of parsed flags, read-only: a flag without a default may be absent. */
export type FlagsOf<Flags> = Values<Flags extends FlagInput<infer Parsed> ? Parsed : never>;

type Values<Parsed> = {
  readonly [Name in keyof Parsed as undefined extends Parsed[Name] ? never : Name]: ReadonlyValue<Parsed[Name]>;
} & {
  readonly [Name in keyof Parsed as undefined extends Parsed[Name] ? Name : never]?: ReadonlyValue<Parsed[Name]>;
};

type ReadonlyValue<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

import type { Condition } from './query.js';
import { uuidPattern } from './scalar.js';

/**
 * What a filter makes of its value (S §2.1). `texts` and `hashes` are arrays, of which any element may match; `json` is
 * an object, known by its text.
 */
export type FieldType =
  | 'uuid'
  | 'hash'
  | 'hashes'
  | 'key'
  | 'did'
  | 'txtype'
  | 'text'
  | 'texts'
  | 'json'
  | 'integer'
  | 'amount'
  | 'pool'
  | 'boolean'
  | 'time';

/** By what a list can be filtered. */
export type Field = ValueField | FlagField;

/** A field of its rows, one of several of them, or a value that all records have. */
export type ValueField =
  | {
      readonly type: FieldType;
      readonly column: string;
      /** A column that has the same value wherever this one has any: an index of it serves the field too. */
      readonly twin?: string;
      /** The value that rows have in place of none, where the column is part of a unique key. */
      readonly none?: string;
    }
  | { readonly type: FieldType; readonly columns: readonly string[] }
  | { readonly type: FieldType; readonly constant: string };

/** A question of yes or no: without a value, or with any but `false`, it is yes. */
export interface FlagField {
  readonly yes: Condition;
  readonly no: Condition;
}

/** The fields of a list by their names in requests, which are in lower case. */
export type Fields = Readonly<Record<string, Field>>;

/**
 * What stands for the name of the pool whose id is in a column: no table has it, and whoever reads a list puts the ids
 * that go with the names in its place.
 */
export function poolNameOf(column: string): string {
  return `${column}.name`;
}

/** How the values of a type are read. */
export interface Kind {
  /** Ends the sentence "must be …". */
  readonly expected: string;
  /** What a part of it is read as, where parts can be asked for. */
  readonly part?: (text: string) => string;
  /** Undefined for a text that is no value of this kind. */
  readonly value: (text: string) => string | number | boolean | undefined;
}

const lower = (text: string): string => text.toLowerCase();
const same = (text: string): string => text;
const matching = (pattern: RegExp) => (text: string) => (pattern.test(lower(text)) ? lower(text) : undefined);

const text: Kind = { expected: 'a text', part: same, value: same };
const hash: Kind = { expected: '64 hexadecimal characters', part: lower, value: matching(/^[0-9a-f]{64}$/) };

/** Every type but `time`, of which `wire/time.ts` knows. */
export const kinds: Readonly<Record<Exclude<FieldType, 'time'>, Kind>> = {
  text,
  texts: text,
  json: text,
  hash,
  hashes: hash,
  uuid: { expected: 'a UUID', part: lower, value: matching(uuidPattern) },
  key: { expected: 'a key', part: lower, value: lower },
  did: { expected: 'a DID', part: readDid, value: readDid },
  txtype: { expected: 'a text', part: same, value: (given) => (given === 'unpinned' ? 'none' : given) },
  integer: { expected: 'a whole number', value: readInteger },
  pool: { expected: 'the name or id of a pool', part: same, value: same },
  amount: { expected: 'a whole number from 0', value: readAmount },
  boolean: { expected: 'true or false', value: readBoolean },
};

/** `did:firefly:…` is another spelling of the same name (S §1.4). */
function readDid(given: string): string {
  return given.replace(/^did:firefly:/, 'did:parley:');
}

function readInteger(given: string): number | undefined {
  const number = /^-?\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** As it is stored: decimal digits without leading zeros. */
function readAmount(given: string): string | undefined {
  return /^\d{1,100}$/.test(given) ? given.replace(/^0+(?=\d)/, '') : undefined;
}

function readBoolean(given: string): boolean | undefined {
  const plain = lower(given);
  return plain === 'true' || plain === 'false' ? plain === 'true' : undefined;
}

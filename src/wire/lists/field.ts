import { canonicalAddress } from '../chain/address.js';
import { storedChainHash } from '../chain/chain-hash.js';
import { didMethods } from '../identities/did.js';
import type { Condition } from './query.js';
import { uuidPattern } from '../scalar.js';

/**
 * How a filter interprets its value (docs/api.md §8.1). `texts`, `hashes` and `chainhashes` are arrays, of which any
 * element may match; `json` is an object, matched as text.
 */
export type FieldType =
  | 'uuid'
  | 'hash'
  | 'hashes'
  | 'chainhash'
  | 'chainhashes'
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

/** A field by which a list can be filtered. */
export type Field = ValueField | FlagField;

/** A column, one of several columns, or a constant value of all records; null = no record has a value. */
export type ValueField =
  | {
      readonly type: FieldType;
      readonly column: string;
      /** A column that has the same value wherever this one has a value, so its index serves this field, too. */
      readonly twin?: string;
      /** The value that means "none", like null. */
      readonly none?: string;
      /** The value that records have if this column is null and the column `beside` is not. */
      readonly fallback?: { readonly value: string; readonly beside: string };
    }
  | { readonly type: FieldType; readonly columns: readonly string[] }
  | { readonly type: FieldType; readonly constant: string | null };

/** A yes-or-no filter: without a value, or with any value except `false`, it means yes. */
export interface FlagField {
  readonly yes: Condition;
  readonly no: Condition;
}

/** The fields of a list by their lower-case names in requests. */
export type Fields = Readonly<Record<string, Field>>;

/**
 * The pseudo-field for the name of the pool whose id is in a column. No table has it; the reader of a list replaces it
 * by the ids of the pools with that name.
 */
export function poolNameOf(column: string): string {
  return `${column}.name`;
}

/** How the values of a type are parsed. */
export interface Kind {
  /** Completes the sentence "must be …". */
  readonly expected: string;
  /** Parses a part of a value, for types that support partial matches. */
  readonly part?: (text: string) => string;
  /** Parses a value; undefined if the text is not of this type. */
  readonly value: (text: string) => string | number | boolean | undefined;
}

const lower = (text: string): string => text.toLowerCase();
const same = (text: string): string => text;
const matching = (pattern: RegExp) => (text: string) => (pattern.test(lower(text)) ? lower(text) : undefined);

const text: Kind = { expected: 'a text', part: same, value: same };
const hash: Kind = { expected: '64 hexadecimal characters', part: lower, value: matching(/^[0-9a-f]{64}$/) };

/** Hash of a transaction of the chain, with `0x` or without. */
const chainhash: Kind = { expected: 'a hash', part: storedChainHash, value: storedChainHash };

/** Whether rows have an array of values of this type, of which any may match. */
export function isArrayType(type: FieldType): boolean {
  return ['texts', 'hashes', 'chainhashes'].includes(type);
}

/** Every type but `time`, which `wire/time.ts` parses. */
export const kinds: Readonly<Record<Exclude<FieldType, 'time'>, Kind>> = {
  text,
  texts: text,
  json: text,
  hash,
  hashes: hash,
  chainhash,
  chainhashes: chainhash,
  uuid: { expected: 'a UUID', part: lower, value: matching(uuidPattern) },
  key: { expected: 'a key', part: lower, value: canonicalAddress },
  did: { expected: 'a DID', part: same, value: same },
  txtype: text,
  integer: { expected: 'a whole number', value: readInteger },
  pool: { expected: 'the name or id of a pool', part: same, value: same },
  amount: { expected: 'a whole number from 0', value: readAmount },
  boolean: { expected: 'true or false', value: readBoolean },
};

/**
 * The spellings of a value that mean the same, of which a network uses one: `did:firefly:…` and `did:parley:…`
 * (docs/api.md §3.2), `unpinned` and `none` (docs/api.md §8.1).
 */
export function spellingsOf(
  type: FieldType,
  match: string,
  { ignoresCase }: { readonly ignoresCase: boolean },
): readonly string[] {
  const word = ignoresCase ? lower(match) : match;
  const dids = type === 'did' ? didSpellings(word) : [];
  if (dids.length > 0) return dids.map(({ did }) => did);
  return type === 'txtype' && unpinnedWords.includes(word) ? unpinnedWords : [match];
}

/** A DID, or a beginning of one, with the method of each kind of network; none for any other text. */
export function didSpellings(text: string): readonly { readonly start: string; readonly did: string }[] {
  if (!didStart.test(text)) return [];
  return didMethods.map((method) => {
    const start = `did:${method}:`;
    return { start, did: text.replace(didStart, start) };
  });
}

const didStart = new RegExp(`^did:(?:${didMethods.join('|')}):`);
const unpinnedWords: readonly string[] = ['none', 'unpinned'];

function readInteger(given: string): number | undefined {
  const number = /^-?\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Returns an amount in its stored form: decimal digits without leading zeros. */
function readAmount(given: string): string | undefined {
  return /^\d{1,100}$/.test(given) ? given.replace(/^0+(?=\d)/, '') : undefined;
}

function readBoolean(given: string): boolean | undefined {
  const plain = lower(given);
  return plain === 'true' || plain === 'false' ? plain === 'true' : undefined;
}

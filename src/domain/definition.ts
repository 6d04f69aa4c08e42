import { check } from '../wire/check.js';
import { DatatypeDefinition } from '../wire/data/datatype.js';
import { IdentityUpdate } from '../wire/identities/identity.js';
import { ServiceError } from '../wire/errors/error.js';
import { read } from '../wire/json/json-reader.js';
import { PoolDefinition } from '../wire/token.js';
import { type JsonText, namePattern, uuidPattern } from '../wire/scalar.js';
import { sha256 } from './hash.js';
import { definitionTopic } from './network/identity.js';
import { readPoolMethods } from './tokens/methods.js';

/** Tags of the definitions that a node understands (docs/protocol.md §9.1). */
export const datatypeTag = 'svc_define_datatype';
export const identityUpdateTag = 'svc_identity_update';
/**
 * A claim reports a name or key that is taken, and is always rejected; a claim that can succeed is a call of the
 * registry.
 */
export const identityClaimTag = 'svc_identity_claim';
export const poolTag = 'svc_define_pool';
export const interfaceTag = 'svc_define_ffi';
export const apiTag = 'svc_define_contract_api';
export type DefinitionTag =
  | typeof datatypeTag
  | typeof identityUpdateTag
  | typeof identityClaimTag
  | typeof poolTag
  | typeof interfaceTag
  | typeof apiTag;

/**
 * The idempotency key under which a definition is stored. All definitions are in the system namespace, but a key is
 * unique within the namespace of its caller, which the topic names (docs/api.md §5).
 */
export function storedKey(topic: string, key: string): string {
  return `${topic} ${key}`;
}

/** The key as its caller gave it. */
export function givenKey(type: string, stored: string): string {
  return type === 'definition' ? stored.slice(stored.indexOf(' ') + 1) : stored;
}

/** The content of a definition, or the full text of its refusal. */
export type Reading<Record> =
  { readonly record: Record; readonly refusal?: undefined } | { readonly record?: undefined; readonly refusal: string };

/**
 * Checks the name of a record; it must not look like an id (docs/protocol.md §2.2).
 *
 * @throws ServiceError bad_name, uuid_as_name
 */
export function checkRecordName(field: string, name: string): void {
  if (!namePattern.test(name)) throw new ServiceError('bad_name', { field, actual: name });
  if (uuidPattern.test(name.toLowerCase())) throw new ServiceError('uuid_as_name', { field, actual: name });
}

/**
 * Reads the definition of a datatype as far as it can be judged alone: it is well formed, its namespace matches its
 * topic, and its hash is that of the schema (docs/protocol.md §9.1). It never throws: definitions are remote input.
 */
export function readDatatypeDefinition(topics: readonly string[], text: JsonText): Reading<DatatypeDefinition> {
  const reading = readRecord(text, DatatypeDefinition, isDatatype);
  if (reading.record === undefined) return reading;
  const { record } = reading;
  if (topics.length !== 1 || topics[0] !== definitionTopic(record.namespace)) {
    return refused('it is for another namespace');
  }
  const problem = faultOfRecord(record);
  return problem === undefined ? reading : invalid(problem);
}

/**
 * Reads the claim of an identity as far as it can be judged alone; description and profile are optional. It never
 * throws: definitions are remote input.
 */
export function readIdentityClaim(topics: readonly string[], text: JsonText): Reading<IdentityUpdate> {
  const reading = readRecord(text, IdentityUpdate, isIdentityUpdate);
  if (reading.record === undefined) return reading;
  const { namespace, profile } = reading.record;
  if (topics.length !== 1 || topics[0] !== definitionTopic(namespace)) return refused('it is for another namespace');
  return profile === undefined || profile.startsWith('{') ? reading : invalid('the profile is no object');
}

/**
 * Reads an identity update as far as it can be judged alone (docs/protocol.md §9.1). It never throws: definitions are
 * remote input.
 */
export function readIdentityUpdate(topics: readonly string[], text: JsonText): Reading<IdentityUpdate> {
  const reading = readIdentityClaim(topics, text);
  if (reading.record === undefined) return reading;
  const { description, profile } = reading.record;
  return (description ?? profile) === undefined ? invalid('it says nothing') : reading;
}

/** Longest locator of a pool, and longest of its other texts, in characters. */
const maxLocatorCharacters = 1_024;
const maxWordCharacters = 256;

/**
 * Reads the definition of a token pool as far as it can be judged alone (docs/protocol.md §9.1). It never throws:
 * definitions are remote input.
 */
export function readPoolDefinition(topics: readonly string[], text: JsonText): Reading<PoolDefinition> {
  const reading = readRecord(text, PoolDefinition, isPool);
  if (reading.record === undefined) return reading;
  const { namespace, name, standard, symbol = '', connector, interfaceFormat = '', locator, tx } = reading.record;
  if (topics.length !== 1 || topics[0] !== definitionTopic(namespace)) return refused('it is for another namespace');
  const words = [standard, symbol, connector, interfaceFormat, tx.type];
  const isTooLong = locator.length > maxLocatorCharacters || words.some((word) => word.length > maxWordCharacters);
  const fault = isTooLong ? 'one of its texts is too long' : faultOfMethods(reading.record);
  const problem = faultOfName('name', name) ?? fault;
  return problem === undefined ? reading : invalid(problem);
}

/** Checks the pool's methods, which every party must be able to read. */
function faultOfMethods({ methods }: PoolDefinition): string | undefined {
  try {
    if (methods !== undefined) readPoolMethods(methods);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.text;
  }
}

/**
 * Reads the record of a definition, which must have exactly the members of its schema. It never throws: definitions are
 * remote input.
 */
export function readRecord<Record>(
  text: JsonText,
  schema: Parameters<typeof read>[1],
  isRecord: (value: unknown) => value is Record,
): Reading<Record> {
  try {
    const { value, unknown } = read(text, schema);
    return unknown.length === 0 && isRecord(value) ? { record: value } : refused('it is no such record');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return refused(error.text);
  }
}

function isDatatype(value: unknown): value is DatatypeDefinition {
  return check(DatatypeDefinition, value);
}

function isIdentityUpdate(value: unknown): value is IdentityUpdate {
  return check(IdentityUpdate, value);
}

/** Whether a value is the definition of a token pool. */
export function isPool(value: unknown): value is PoolDefinition {
  return check(PoolDefinition, value);
}

/** The refusal of a definition that can be read, but is not valid. */
function invalid(problem: string): { readonly refusal: string } {
  return { refusal: new ServiceError('definition_invalid', { problem }).message };
}

/** The refusal of a definition that cannot be read. */
export function refused(problem: string): { readonly refusal: string } {
  return { refusal: new ServiceError('definition_payload', { problem }).message };
}

function faultOfRecord({ name, version, hash, value }: DatatypeDefinition): string | undefined {
  const fault = faultOfName('name', name) ?? faultOfName('version', version);
  return fault ?? (sha256(value) === hash ? undefined : 'its hash is not that of the schema');
}

function faultOfName(field: string, name: string): string | undefined {
  try {
    checkRecordName(field, name);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.text;
    throw error;
  }
}

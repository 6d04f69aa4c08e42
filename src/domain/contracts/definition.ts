import { check } from '../../wire/check.js';
import { ApiDefinition, InterfaceDefinition } from '../../wire/contracts/contract.js';
import { isServiceError, ServiceError } from '../../wire/errors/error.js';
import { type JsonText, namePattern } from '../../wire/scalar.js';
import { checkInterfaceParts, checkInterfaceText } from './limits.js';
import { completeParts, type InterfaceParts } from './ffi.js';
import { checkRecordName, type Reading, readRecord, refused } from '../definition.js';
import { definitionTopic, reservedPrefix } from '../network/identity.js';
import type { NetworkRules } from '../network/network-rules.js';

/** The definition of an interface with its completed parts. */
export interface ReadInterface extends InterfaceDefinition {
  readonly parts: InterfaceParts;
}

/**
 * Reads the definition of an interface as far as it can be judged alone: it is within the network's limits, its names
 * are valid, its parts can be called (docs/protocol.md §9.4). It never throws: definitions are remote input.
 */
export function readInterfaceDefinition(
  topics: readonly string[],
  text: JsonText,
  { interfaces }: Pick<NetworkRules, 'interfaces'>,
): Reading<ReadInterface> {
  const fitting = judged(() => checkInterfaceText(text, interfaces));
  if (fitting.refusal !== undefined) return fitting;
  const reading = readRecord(text, InterfaceDefinition, isInterface);
  if (reading.record === undefined) return reading;
  const { record } = reading;
  if (!isFor(topics, record.namespace)) return refused('it is for another namespace');
  return judged(() => {
    checkFreeName('name', record.name);
    checkRecordName('version', record.version);
    checkInterfaceParts(record, interfaces);
    return { ...record, parts: completeParts(record) };
  });
}

/**
 * Reads the definition of a contract API in the same way. Whether its interface exists is decided at its position in
 * the order.
 */
export function readApiDefinition(topics: readonly string[], text: JsonText): Reading<ApiDefinition> {
  const reading = readRecord(text, ApiDefinition, isApi);
  if (reading.record === undefined) return reading;
  const { record } = reading;
  if (!isFor(topics, record.namespace)) return refused('it is for another namespace');
  return judged(() => {
    checkApiName('name', record.name);
    return record;
  });
}

/**
 * Checks a name that a user gives to a contract API. An API is found by name only, so the name may look like an id.
 *
 * @throws ServiceError bad_name, reserved_name
 */
export function checkApiName(field: string, name: string): void {
  if (!namePattern.test(name)) throw new ServiceError('bad_name', { field, actual: name });
  refuseReserved(field, name);
}

/**
 * Checks a name that a user gives to a record.
 *
 * @throws ServiceError bad_name, uuid_as_name, reserved_name
 */
export function checkFreeName(field: string, name: string): void {
  checkRecordName(field, name);
  refuseReserved(field, name);
}

function refuseReserved(field: string, name: string): void {
  if (name.startsWith(reservedPrefix)) throw new ServiceError('reserved_name', { field: `The ${field}`, actual: name });
}

/** Turns a ServiceError from reading a remote record into a refusal. */
function judged<Record>(read: () => Record): Reading<Record> {
  try {
    return { record: read() };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { refusal: new ServiceError('definition_invalid', { problem: error.text }).message };
  }
}

function isFor(topics: readonly string[], namespace: string): boolean {
  return topics.length === 1 && topics[0] === definitionTopic(namespace);
}

function isInterface(value: unknown): value is InterfaceDefinition {
  return check(InterfaceDefinition, value);
}

function isApi(value: unknown): value is ApiDefinition {
  return check(ApiDefinition, value);
}

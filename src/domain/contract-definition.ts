import { check } from '../wire/check.js';
import { ApiDefinition, InterfaceDefinition } from '../wire/contract.js';
import { isServiceError, ServiceError } from '../wire/error.js';
import type { JsonText } from '../wire/scalar.js';
import { checkInterfaceParts, checkInterfaceText } from './contract-limits.js';
import { completeParts, type InterfaceParts } from './contract-ffi.js';
import { checkRecordName, type Reading, readRecord, refused } from './definition.js';
import { definitionTopic, reservedPrefix } from './identity.js';
import type { NetworkRules } from './network-rules.js';

/** The definition of an interface, with what follows from its parts. */
export interface ReadInterface extends InterfaceDefinition {
  readonly parts: InterfaceParts;
}

/**
 * Reads the definition of an interface as far as it speaks for itself: it is within the network's limits, its names are
 * names, its parts can be called (S §8.8). It never throws for what others wrote.
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

/** The same of a contract API. Whether its interface is there is for the order to say. */
export function readApiDefinition(topics: readonly string[], text: JsonText): Reading<ApiDefinition> {
  const reading = readRecord(text, ApiDefinition, isApi);
  if (reading.record === undefined) return reading;
  const { record } = reading;
  if (!isFor(topics, record.namespace)) return refused('it is for another namespace');
  return judged(() => {
    checkFreeName('name', record.name);
    return record;
  });
}

/**
 * A name that a user may give to a record.
 *
 * @throws ServiceError bad_name, uuid_as_name, reserved_name
 */
export function checkFreeName(field: string, name: string): void {
  checkRecordName(field, name);
  if (name.startsWith(reservedPrefix)) throw new ServiceError('reserved_name', { field: `The ${field}`, actual: name });
}

/** What somebody's record becomes; a fault of it is a refusal. */
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

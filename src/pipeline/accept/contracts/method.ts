import type { AbiEntry } from '../../../domain/contracts/abi.js';
import { errorEntry, methodEntry } from '../../../domain/contracts/ffi.js';
import { checkEntrySizes } from '../../../domain/contracts/size.js';
import { readLocation } from '../../../domain/contracts/location.js';
import type { ApiRow, InterfaceRow } from '../../../ports/tables/contract-tables.js';
import type { Reader } from '../../../ports/database.js';
import type { ApiCallRequest, ContractCallRequest, FfiEvent, FfiMethod } from '../../../wire/contracts/contract.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { nearestHint } from '../../../wire/lists/query.js';
import type { JsonText } from '../../../wire/scalar.js';
import { readParts } from '../../records/contracts.js';
import { findApi, referredInterface } from './api.js';
import { findInterface } from './interface.js';

/** More errors than a contract has. */
const maxErrors = 1_000;

/** The method that a request names, and the address of its contract. */
export interface CalledMethod {
  readonly entry: AbiEntry;
  /** The errors by which the contract's refusal is decoded. */
  readonly errors: readonly AbiEntry[];
  /** Lower-case address of the contract. */
  readonly address: string;
  readonly interface?: string | undefined;
  readonly methodPath?: string | undefined;
}

/**
 * Returns the method that a request defines itself, or names by an interface of this node (docs/api.md §20).
 *
 * @throws ServiceError method_required, method_unknown, interface_not_found, definition_nameless, bad_parameter_schema,
 * bad_location
 */
export async function namedMethod(
  reader: Reader,
  namespace: string,
  request: ContractCallRequest,
): Promise<CalledMethod> {
  const { method, methodPath, interface: named, errors = [] } = request;
  if (method !== undefined) {
    const entry = checkedEntry(method);
    return { entry, errors: errorEntries(errors), address: addressOf(request) };
  }
  if (named === undefined || methodPath === undefined) throw new ServiceError('method_required');
  const row = await referredInterface(reader, namespace, typeof named === 'string' ? { id: named } : named);
  return { ...methodOf(row, methodPath), address: addressOf(request) };
}

/**
 * Returns a method of an interface, at the contract that the request names.
 *
 * @throws ServiceError not_found, method_unknown, bad_location
 */
export async function methodOfInterface(
  reader: Reader,
  namespace: string,
  { id, method }: { readonly id: string; readonly method: string },
  request: ApiCallRequest,
): Promise<CalledMethod> {
  const row = await findInterface(reader, { namespace, id }, id);
  return { ...methodOf(row, method), address: addressOf(request) };
}

/**
 * Returns a method of a contract API. If the API has no location, the request must name the contract; otherwise it may
 * not name another.
 *
 * @throws ServiceError not_found, method_unknown, bad_location
 */
export async function methodOfApi(
  reader: Reader,
  namespace: string,
  { name, method }: { readonly name: string; readonly method: string },
  request: ApiCallRequest,
): Promise<CalledMethod> {
  const api = await findApi(reader, { namespace, name }, name);
  const row = await findInterface(reader, { namespace, id: api.interface }, api.interface);
  return { ...methodOf(row, method), address: addressOf({ location: locationThrough(api, request) }) };
}

/**
 * Returns the location for a request to a contract API: that of the API, otherwise that of the request.
 *
 * @throws ServiceError bad_location if the request names another contract than the API
 */
export function locationThrough(
  { name, location: fixed }: Pick<ApiRow, 'name' | 'location'>,
  { location: given }: Located,
): JsonText | undefined {
  if (fixed === null || given === undefined) return fixed ?? given;
  const [address, other] = [readLocation(fixed), readLocation(given)];
  if (address === other) return fixed;
  const problem = `; the API ${name} is at ${address}, not at ${other}: leave the location out, or use another API`;
  throw new ServiceError('bad_location', { problem });
}

function methodOf(row: InterfaceRow, methodPath: string): Omit<CalledMethod, 'address'> {
  const { methods, errors } = readParts(row);
  const method = methods.find(({ pathname }) => pathname === methodPath);
  if (method === undefined) {
    const known = methods.map(({ pathname = '' }) => pathname);
    const hint = nearestHint(methodPath, known);
    throw new ServiceError('method_unknown', { name: `${row.name}@${row.version}`, method: methodPath, hint });
  }
  return { entry: checkedEntry(method), errors: errorEntries(errors), interface: row.id, methodPath };
}

/** @throws ServiceError definition_nameless, bad_parameter_schema */
function checkedEntry(method: FfiMethod): AbiEntry {
  const entry = methodEntry(method, 'method');
  checkEntrySizes(entry, 'method');
  return entry;
}

/** @throws ServiceError too_many, definition_nameless, bad_parameter_schema */
function errorEntries(errors: readonly FfiEvent[]): readonly AbiEntry[] {
  if (errors.length > maxErrors) {
    throw new ServiceError('too_many', { field: 'errors', max: maxErrors, actual: errors.length });
  }
  return errors.map((error, index) => errorEntry(error, `errors[${index}]`));
}

interface Located {
  readonly location?: JsonText | undefined;
}

function addressOf({ location }: Located): string {
  if (location === undefined) throw new ServiceError('bad_location', { problem: '; there is none' });
  return readLocation(location);
}

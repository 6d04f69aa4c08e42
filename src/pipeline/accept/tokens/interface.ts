import type { AbiEntry } from '../../../domain/contracts/abi.js';
import { methodEntry, plainMethod } from '../../../domain/contracts/ffi.js';
import {
  type MethodFormat,
  methodFormat,
  methodFormats,
  type PoolMethods,
  tokenUses,
} from '../../../domain/tokens/methods.js';
import type { Reader } from '../../../ports/database.js';
import type { PoolRequest, TokenConnector } from '../../../ports/token-connector.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import { type FfiMethod, FfiMethods } from '../../../wire/contracts/contract.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { textOf, write } from '../../../wire/json/json.js';
import { compact } from '../../../wire/json/json-reader.js';
import { type JsonText, uuidPattern } from '../../../wire/scalar.js';
import type { PoolRequest as WireRequest } from '../../../wire/token.js';
import { readParts } from '../../records/contracts.js';

type Columns = Pick<PoolRow, 'interface' | 'interfaceFormat' | 'methods'>;
type Wanted = Pick<WireRequest, 'interface' | 'interfaceFormat'>;

/**
 * Returns the columns for the interface of a pool's contract, named by id or by name and version, and the methods that
 * the pool calls (docs/api.md §19.5). For a published pool the interface must be published.
 *
 * @throws ServiceError field_required, not_one_of, not_uuid, interface_not_found, interface_not_published, and those of
 * the connector
 */
export async function findPoolInterface(
  database: Reader,
  namespace: string,
  { interface: wanted, interfaceFormat }: Wanted,
  { connector, request, publish }: Chooser,
): Promise<Columns> {
  const format = interfaceFormat === undefined ? undefined : methodFormat(interfaceFormat);
  if (interfaceFormat !== undefined && format === undefined) {
    const expected = methodFormats.join(', ');
    throw new ServiceError('not_one_of', { field: 'interfaceFormat', expected, actual: interfaceFormat });
  }
  if (wanted === undefined) {
    connector.chooseMethods(request, undefined);
    return { interface: null, interfaceFormat: format ?? null, methods: null };
  }
  const { columns, what } = namedBy(wanted);
  const row = await database.first('interfaces', { namespace, ...columns });
  if (row === undefined) throw new ServiceError('interface_not_found', { what, namespace });
  if (publish) refuseUnpublished(row);
  const { methods } = readParts(row);
  const offered = methods.map((method) => ({
    method,
    pathname: method.pathname ?? method.name,
    entry: methodEntry(method, 'interface'),
  }));
  const chosen = connector.chooseMethods(request, offered);
  if (chosen === undefined) return { interface: row.id, interfaceFormat: format ?? null, methods: null };
  const shownFormat = format ?? 'abi';
  return { interface: row.id, interfaceFormat: shownFormat, methods: shown(chosen, offered, shownFormat) };
}

interface Chooser {
  readonly connector: TokenConnector;
  readonly request: PoolRequest;
  readonly publish: boolean;
}

/** Writes the chosen methods in the requested format. */
function shown(
  chosen: PoolMethods,
  offered: readonly { readonly entry: AbiEntry; readonly method: FfiMethod }[],
  format: MethodFormat,
): JsonText {
  const members = tokenUses.flatMap((use) => {
    const methods = chosen[use]?.flatMap((entry) => offered.find((each) => each.entry === entry)?.method ?? []);
    if (methods === undefined) return [];
    return [`"${use}":${format === 'abi' ? textOf(methods.map(plainMethod)) : write(FfiMethods, methods)}`];
  });
  return compact(`{${members.join(',')}}`);
}

/** @throws ServiceError interface_not_published */
export function refuseUnpublished({ id, published }: { readonly id: string; readonly published: boolean }): void {
  if (!published) throw new ServiceError('interface_not_published', { id, what: 'the pool' });
}

function namedBy({ id, name, version }: NonNullable<WireRequest['interface']>) {
  if (id !== undefined) {
    const known = id.toLowerCase();
    if (!uuidPattern.test(known)) throw new ServiceError('not_uuid', { field: 'interface.id', actual: id });
    return { columns: { id: known }, what: known };
  }
  if (name === undefined || version === undefined) {
    throw new ServiceError('field_required', {
      field: 'interface.id',
      hint: ', or interface.name and interface.version',
    });
  }
  return { columns: { name, version }, what: `${name}@${version}` };
}

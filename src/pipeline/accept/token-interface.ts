import type { Reader } from '../../ports/database.js';
import type { PoolRow } from '../../ports/token-tables.js';
import { ServiceError } from '../../wire/error.js';
import { equal, oldestFirst } from '../../wire/query.js';
import { uuidPattern } from '../../wire/scalar.js';
import type { PoolRequest } from '../../wire/token.js';

type Interface = Pick<PoolRow, 'interface' | 'interfaceFormat'>;

const formats = ['abi', 'ffi'];

/**
 * The interface that a pool's contract has, by id or by name and version; for a published pool everybody must know it.
 *
 * @throws ServiceError field_required, not_one_of, not_uuid, interface_not_found, interface_not_published
 */
export async function findInterface(
  database: Reader,
  namespace: string,
  { interface: wanted, interfaceFormat }: Pick<PoolRequest, 'interface' | 'interfaceFormat'>,
  publish: boolean,
): Promise<Interface> {
  if (interfaceFormat !== undefined && !formats.includes(interfaceFormat)) {
    const expected = formats.join(', ');
    throw new ServiceError('not_one_of', { field: 'interfaceFormat', expected, actual: interfaceFormat });
  }
  if (wanted === undefined) return { interface: null, interfaceFormat: interfaceFormat ?? null };
  const { where, what } = conditionOf(wanted);
  const [row] = await database.find('interfaces', { namespace, where, sort: oldestFirst, limit: 1 });
  if (row === undefined) throw new ServiceError('interface_not_found', { what, namespace });
  if (publish) refuseUnpublished(row);
  return { interface: row.id, interfaceFormat: interfaceFormat ?? null };
}

/** @throws ServiceError interface_not_published */
export function refuseUnpublished({ id, published }: { readonly id: string; readonly published: boolean }): void {
  if (!published) throw new ServiceError('interface_not_published', { id, what: 'the pool' });
}

function conditionOf({ id, name, version }: NonNullable<PoolRequest['interface']>) {
  if (id !== undefined) {
    const known = id.toLowerCase();
    if (!uuidPattern.test(known)) throw new ServiceError('not_uuid', { field: 'interface.id', actual: id });
    return { where: [equal('id', known)], what: known };
  }
  if (name === undefined || version === undefined) {
    throw new ServiceError('field_required', {
      field: 'interface.id',
      hint: ', or interface.name and interface.version',
    });
  }
  return { where: [equal('name', name), equal('version', version)], what: `${name}@${version}` };
}

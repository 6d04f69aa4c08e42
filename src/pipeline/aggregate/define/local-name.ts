import { identityId } from '../../../domain/network/identity.js';
import type { Unit } from '../../../ports/database.js';

/**
 * Returns the local name of an arriving record: its own, or the first free one of `<name>-1`, `-2`, …, so that records
 * named by this node's user keep their names (docs/protocol.md §9.1, §9.3).
 */
export async function freeName(
  unit: Unit,
  table: 'interfaces' | 'apis' | 'pools',
  { name, ...where }: { readonly namespace: string; readonly name: string; readonly version?: string },
): Promise<string> {
  for (let number = 0; ; number++) {
    const local = number === 0 ? name : `${name}-${number}`;
    if (!(await unit.has(table, { ...where, name: local }))) return local;
  }
}

/**
 * Returns another id for a local record whose id another member's definition has taken: ids are public once sent, and
 * the order decides who owns them. It is derived from the definition, which may come again after a rebuild.
 */
export async function otherId(
  unit: Unit,
  table: 'interfaces' | 'apis',
  { namespace, id, hash }: { readonly namespace: string; readonly id: string; readonly hash: string },
): Promise<string> {
  for (let other = identityId(`${id}/${hash}`); ; other = identityId(`${other}/${hash}`)) {
    if (!(await unit.has(table, { namespace, id: other }))) return other;
  }
}

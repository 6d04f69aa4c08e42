import type { Unit } from '../../../ports/database.js';

/**
 * Returns the local name of an arriving record: its own, or the first free one of `<name>-1`, `-2`, …, so that records
 * named by this node's user keep their names (docs/protocol.md §9.1).
 */
export async function freeName(
  unit: Unit,
  table: 'interfaces' | 'apis',
  { name, ...where }: { readonly namespace: string; readonly name: string; readonly version?: string },
): Promise<string> {
  for (let number = 0; ; number++) {
    const local = number === 0 ? name : `${name}-${number}`;
    if (!(await unit.has(table, { ...where, name: local }))) return local;
  }
}

/**
 * Source of another id for a local record whose id another member's definition has taken: ids are public once sent, and
 * the order decides who owns them.
 */
export function otherIdSource(id: string, messageHash: string): string {
  return `${id}/${messageHash}`;
}

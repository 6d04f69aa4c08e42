import type { Unit } from '../../../ports/database.js';
import { type Condition, equal } from '../../../wire/query.js';

/**
 * The name under which something that has arrived is shown here: its own, or where that is taken `<name>-1`, `-2`, …,
 * so that what the user of this node has named stays (docs/protocol.md §9.1).
 */
export async function freeName(
  unit: Unit,
  table: 'interfaces' | 'apis',
  { namespace, name, where = [] }: { readonly namespace: string; readonly name: string; readonly where?: Condition[] },
): Promise<string> {
  for (let number = 0; ; number++) {
    const local = number === 0 ? name : `${name}-${number}`;
    const taken = await unit.count(table, { namespace, where: [equal('name', local), ...where] });
    if (taken === 0) return local;
  }
}

/**
 * Another id for something of this node alone, whose own a definition of somebody else has taken: ids are public once
 * they travel, and the order decides whose they are.
 */
export function otherIdSource(id: string, messageHash: string): string {
  return `${id}/${messageHash}`;
}

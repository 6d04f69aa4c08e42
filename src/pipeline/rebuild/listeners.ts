import { maxListeners } from '../../domain/contracts/listener.js';
import { isObject } from '../../domain/schema/json.js';
import type { Unit } from '../../ports/database.js';
import { every } from '../../ports/tables/where.js';
import { valueOf } from '../../wire/json/json.js';
import type { JsonText } from '../../wire/scalar.js';

/**
 * Lets listeners for the newest events begin with `block`, the first replaced one, if they would begin later: the new
 * chain may be shorter than the old one was at their creation, and have their events in lower blocks (docs/api.md §20).
 */
export async function beginWithReplaced(unit: Unit, block: number): Promise<void> {
  const rows = await unit.rows('listeners', { namespace: every }, { limit: maxListeners });
  for (const { namespace, id, options, firstBlock } of rows) {
    if (firstBlock === null || firstBlock <= block || !isForNewest(options)) continue;
    await unit.update('listeners', { namespace, id }, { firstBlock: block });
  }
}

function isForNewest(options: JsonText): boolean {
  const read = valueOf(options);
  return isObject(read) && read['firstEvent'] === 'newest';
}

import type { Unit } from '../../../ports/database.js';
import type { BatchRow, DataRow } from '../../../ports/tables/tables.js';
import { above, present } from '../../../ports/tables/where.js';
import { type BatchName, batchNameKey, exactMessages, findBatches } from '../../common/messages/exact.js';

const maxRead = 500;

/**
 * Whether a batch with undecided messages has the item among its typed values. All messages of a batch share its steps,
 * so what the decided ones have spent is counted again, from their items, after a restart.
 */
export async function isStillCounted(unit: Unit, item: DataRow): Promise<boolean> {
  if (item.validator === 'none' || item.datatypeName === null) return false;
  const { namespace } = item;
  const known = new Set<string>();
  for (let after = 0; ;) {
    const undecided = { namespace, state: 'ready', batch: present, sequence: above(after) } as const;
    const rows = await unit.rows('messages', undecided, { limit: maxRead });
    const names = new Map<string, BatchName>();
    for (const { batch, batchHash, key: signer } of rows) {
      const name = { id: batch ?? '', hash: batchHash ?? '', signer };
      if (!known.has(batchNameKey(name))) names.set(batchNameKey(name), name);
    }
    for (const batch of await findBatches(unit, [...names.values()])) if (await hasItem(unit, batch, item)) return true;
    for (const name of names.keys()) known.add(name);
    after = rows.at(-1)?.sequence ?? after;
    if (rows.length < maxRead) return false;
  }
}

async function hasItem(unit: Unit, { manifest }: BatchRow, { id, hash }: DataRow): Promise<boolean> {
  const entries = manifest ?? [];
  const messages = await exactMessages(
    unit,
    entries.filter(({ items }) => items === undefined),
  );
  const lists = [...entries.map(({ items }) => items?.data ?? []), ...[...messages.values()].map(({ data }) => data)];
  return lists.some((data) => data.some((reference) => reference.id === id && reference.hash === hash));
}

import { assert } from '../../../domain/invariant.js';
import { readPayload } from '../../../domain/messages/verify.js';
import type { Unit } from '../../../ports/database.js';
import type { MessageRow } from '../../../ports/tables/tables.js';
import { undecidedRank } from '../../../wire/lists/query.js';
import { newData } from '../data/data-row.js';
import { exactItems, referenceKey } from './exact.js';

/** Makes messages of batches that were sealed here wait for a decision again. */
export async function reopenMessages(unit: Unit, messages: readonly MessageRow[]): Promise<void> {
  if (messages.length === 0) return;
  await unit.updateEach(
    'messages',
    'sequence',
    messages.map(({ sequence, created }) => ({ sequence, ...undecidedColumns, rank: `${undecidedRank}${created}` })),
  );
  await restoreTypedItems(unit, messages);
}

const undecidedColumns = { state: 'ready', confirmed: null, rejected: null, rejectReason: null } as const;

/**
 * Restores typed values that were deleted after their messages were decided: these messages are judged again, and other
 * nodes judge them with all their values (docs/protocol.md §8.6). No verdict depends on other items, which stay
 * deleted.
 */
async function restoreTypedItems(unit: Unit, messages: readonly MessageRow[]): Promise<void> {
  const typed = messages.filter(({ hasDatatypes }) => hasDatatypes);
  const here = await exactItems(
    unit,
    typed.flatMap(({ data }) => data),
  );
  for (const { namespace, batchHash, data } of typed) {
    const missing = data.filter((reference) => !here.has(referenceKey(reference)));
    if (missing.length === 0) continue;
    const row = await unit.first('payloads', { hash: batchHash ?? '' });
    const read = readPayload(row?.text ?? '');
    assert(read.status === 'valid', 'a sealed batch has its payload');
    const items = missing.flatMap(({ id, hash, seal }) => {
      const item = read.payload.data.find((each) => each.id === id && each.hash === hash);
      return item?.datatype === undefined ? [] : [newData(namespace, item, seal)];
    });
    await unit.put('data', items);
  }
}

import { assert } from '../../../domain/invariant.js';
import { readPayload } from '../../../domain/messages/verify.js';
import type { Unit } from '../../../ports/database.js';
import type { BatchRow, MessageRow } from '../../../ports/tables/tables.js';
import { undecidedRank } from '../../../wire/lists/query.js';
import { exactItems, referenceKey } from '../../common/messages/exact.js';
import { newData } from '../../common/rows.js';
import { sendAgain } from '../../operations/send-again.js';

/** Makes batches that were sealed here wait for their pins again, with their messages. Nonces and payloads stay. */
export async function sealAgain(
  unit: Unit,
  batches: readonly BatchRow[],
  messages: readonly MessageRow[],
): Promise<void> {
  if (batches.length === 0) return;
  // The sending of their files was ended.
  const wereVoid = batches.filter(({ state, type }) => state === 'void' && type === 'private');
  for (const batch of wereVoid) await sendAgain(unit, batch);
  await unit.updateEach(
    'batches',
    'sequence',
    batches.map(({ sequence }) => ({ sequence, state: 'sealed', confirmed: null, reason: null })),
  );
  const undecided = messages.filter(({ state }) => state !== 'cancelled');
  if (undecided.length > 0) {
    await unit.updateEach(
      'messages',
      'sequence',
      undecided.map(({ sequence, created }) => ({
        sequence,
        ...undecidedColumns,
        rank: `${undecidedRank}${created}`,
      })),
    );
  }
  await restoreTypedItems(unit, undecided);
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

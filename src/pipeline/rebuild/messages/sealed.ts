import { assert } from '../../../domain/invariant.js';
import { readPayload } from '../../../domain/messages/verify.js';
import type { Unit } from '../../../ports/database.js';
import type { BatchRow, MessageRow } from '../../../ports/tables/tables.js';
import { above, every } from '../../../ports/tables/where.js';
import { undecidedRank } from '../../../wire/lists/query.js';
import { exactItems, referenceKey } from '../../common/messages/exact.js';
import { newData } from '../../common/rows.js';
import type { Undoing } from '../undoing.js';

/**
 * Lets batches that were sealed here wait for their pins again, with these messages, which are theirs. Nonces and
 * payloads stay.
 */
export async function sealAgain(
  unit: Unit,
  batches: readonly BatchRow[],
  messages: readonly MessageRow[],
): Promise<void> {
  if (batches.length === 0) return;
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
 * Puts typed values back that were deleted once their messages were decided: these are judged again, and other nodes
 * judge them with all their values (docs/protocol.md §8.6). No verdict depends on other items, which stay deleted.
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

/**
 * Sends the private batches again whose pins were not read, with the files that are still here. Others may have read
 * these pins in blocks that are gone: a member that had deleted what came with one cannot keep the rest until it comes
 * again, and the others answer that they have it (docs/protocol.md §11.6).
 */
export async function sendUnreadAgain({ database }: Pick<Undoing, 'database'>): Promise<void> {
  for (let last = 0; ;) {
    const sequence = above(last);
    const unread = { namespace: every, type: 'private', state: ['sealed', 'pinned'], sequence } as const;
    const batches = await database.rows('batches', unread, { limit: maxBatches });
    await database.transaction(async (unit) => {
      for (const batch of batches) await sendAgain(unit, batch);
    });
    last = batches.at(-1)?.sequence ?? last;
    if (batches.length < maxBatches) return;
  }
}

const maxBatches = 100;

async function sendAgain(unit: Unit, { id, hash, signer }: BatchRow): Promise<void> {
  const sent = { namespace: every, batch: id, batchHash: hash, signer, status: 'Succeeded' } as const;
  await unit.update('operations', { ...sent, type: 'dataexchange_send_batch' }, open);
  const files = await unit.rows('operations', { ...sent, type: 'dataexchange_send_blob' }, { limit: maxFiles });
  const hashes = [...new Set(files.flatMap(({ blob }) => blob ?? []))];
  if (hashes.length === 0) return;
  const here = new Set((await unit.rows('blobs', { hash: hashes }, { limit: hashes.length })).map((blob) => blob.hash));
  const again = files.filter(({ blob }) => blob !== null && here.has(blob));
  if (again.length === 0) return;
  await unit.updateEach(
    'operations',
    'sequence',
    again.map(({ sequence }) => ({ sequence, ...open })),
  );
}

const open = { status: 'Pending', error: null } as const;

/** One for each item of a batch and each other member: more than the limits of a network allow. */
const maxFiles = 1_000_000;

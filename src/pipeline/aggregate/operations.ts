import type { MessageRow, PinRow } from '../../ports/tables/tables.js';
import { above, below } from '../../ports/tables/where.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { FactParts } from './define/rule.js';

const tables = {
  token_transfer: { table: 'transfers', what: 'token transfer' },
  token_approval: { table: 'approvals', what: 'token approval' },
} as const;

/** Whether a message with this parent is judged by an event of its operation. */
export function isTokenOperation(parentType: MessageRow['parentType']): parentType is keyof typeof tables {
  return parentType === 'token_transfer' || parentType === 'token_approval';
}

/**
 * Returns why a message of a token operation is rejected, or undefined. An event with its id and hash must be in a
 * block before its pin, in a pool defined by an earlier pin (docs/protocol.md §8.6). All earlier definitions are
 * decided and their pools followed, so an event that is not found here exists on no node.
 */
export async function findMissingOperation(
  { unit, pools }: Pick<FactParts, 'unit' | 'pools'>,
  message: MessageRow,
  pin: PinRow | undefined,
): Promise<string | undefined> {
  const { namespace, id, hash, parentType } = message;
  // An unpinned message has no position in the order, so no operation can precede it.
  if (!isTokenOperation(parentType) || pin === undefined) return undefined;
  const { table, what } = tables[parentType];
  for (let after = 0, isWhole = false; !isWhole;) {
    const events = await unit.rows(
      table,
      { namespace, message: id, messageHash: hash, block: below(pin.block), sequence: above(after) },
      { limit: maxEvents },
    );
    const named = new Set(events.map(({ pool }) => pool));
    if (await pools.isOneBefore(namespace, named, pin.sequence)) return undefined;
    // Anyone may name the message in any pool, so all pages are searched.
    after = events.at(-1)?.sequence ?? after;
    isWhole = events.length < maxEvents;
  }
  return new ServiceError('operation_missing', { what }).message;
}

const maxEvents = 500;

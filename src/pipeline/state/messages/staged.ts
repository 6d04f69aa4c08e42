import type { Reader, Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { MessageRow, OperationRow } from '../../../ports/tables/tables.js';
import { check } from '../../../wire/check.js';
import { undecidedRank } from '../../../wire/lists/query.js';
import { type HashedHeader, ParentType } from '../../../wire/messages/message.js';
import { insertBlobUploads } from '../../blobs/uploads.js';
import type { Bell } from '../../bus.js';
import { exactItems, referenceKey } from './exact.js';

type Parent = NonNullable<HashedHeader['txparent']>;

/** An operation has at most one message. Other messages may name its transaction, but they are never staged. */
const maxMessages = 100;

/**
 * Makes the message of a successful operation `ready` and starts the uploads of a broadcast's blobs (docs/api.md
 * §19.3), in the unit of the success. Returns the bells to ring.
 */
export async function releaseMessages(
  unit: Unit,
  parent: Parent,
  { namespace, now, random }: { readonly namespace: string; readonly now: string; readonly random: Random },
): Promise<readonly Bell[]> {
  const staged = await findMessages(unit, namespace, parent, 'staged');
  if (staged.length === 0) return [];
  const bells: Bell[] = ['messages'];
  await update(unit, staged, { state: 'ready' });
  for (const { group, hasBlobs, data } of staged) {
    if (group !== null || !hasBlobs) continue;
    bells.push(...(await insertBlobUploads(unit, { namespace, items: data, created: now, random })));
  }
  return bells;
}

/**
 * Cancels the message of an operation that has failed permanently (docs/api.md §19.3), in the unit of the failure.
 * Nothing was pinned, so its topics are not affected. Returns the bells to ring.
 */
export async function cancelMessages(
  unit: Unit,
  parent: Parent,
  { namespace, now }: { readonly namespace: string; readonly now: string },
): Promise<readonly Bell[]> {
  const staged = await findMessages(unit, namespace, parent, 'staged');
  if (staged.length === 0) return [];
  await update(unit, staged, { state: 'cancelled', rank: now });
  return ['cancellations'];
}

/** Stages the cancelled message of an operation again, in the unit that retries the operation (docs/api.md §18.2). */
export async function restageMessages(unit: Unit, namespace: string, parent: Parent): Promise<readonly MessageRow[]> {
  const own = await cancelledMessages(unit, namespace, parent);
  for (const message of own)
    await update(unit, [message], { state: 'staged', rank: `${undecidedRank}${message.created}` });
  return own;
}

/** Returns the message that a retry of a failed operation stages again. */
export async function cancelledMessages(
  reader: Reader,
  namespace: string,
  parent: Parent,
): Promise<readonly MessageRow[]> {
  const cancelled = await findMessages(reader, namespace, parent, 'cancelled');
  // A message that had a batch was cancelled with that batch; its operation has not failed.
  return cancelled.filter(({ batch }) => batch === null);
}

/** Returns the type of an operation as the parent of its message; undefined if it never has one. */
export function parentTypeOf(type: OperationRow['type']): ParentType | undefined {
  const parent = type === 'blockchain_invoke' ? 'contract_invoke' : type;
  return check(ParentType, parent) ? parent : undefined;
}

/** Whether all data of these messages is here, since users may delete that of cancelled ones. */
export async function hasData(unit: Unit, namespace: string, messages: readonly MessageRow[]): Promise<boolean> {
  const references = messages.flatMap(({ data }) => data);
  const held = await exactItems(unit, references, { namespace });
  return references.every((reference) => held.has(referenceKey(reference)));
}

function findMessages(
  reader: Reader,
  namespace: string,
  { type, id }: Parent,
  state: MessageRow['state'],
): Promise<readonly MessageRow[]> {
  return reader.rows('messages', { namespace, parentId: id, parentType: type, state }, { limit: maxMessages });
}

async function update(
  unit: Unit,
  messages: readonly MessageRow[],
  changes: Partial<Pick<MessageRow, 'state' | 'rank'>>,
): Promise<void> {
  await unit.update('messages', { sequence: messages.map(({ sequence }) => sequence) }, changes);
}

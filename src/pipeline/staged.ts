import type { Unit } from '../ports/database.js';
import type { Random } from '../ports/random.js';
import type { MessageRow } from '../ports/tables.js';
import type { HashedHeader } from '../wire/message.js';
import { among, equal, oldestFirst } from '../wire/query.js';
import { insertBlobUploads } from './blobs/uploads.js';
import type { Bell } from './bus.js';

/** The transaction of the operation that messages wait for. */
type Parent = NonNullable<HashedHeader['txparent']>;

/** An operation has one message at most; others can name the id of its transaction, whose messages are never staged. */
const maxMessages = 100;

/**
 * In the unit in which an operation has succeeded: its message is `ready` to be batched, and the files of a broadcast
 * begin their way to the shared store (docs/api.md §19.3). Resolves with whom to wake after the commit; nothing happens
 * where no message waits.
 */
export async function releaseMessages(
  unit: Unit,
  parent: Parent,
  { namespace, now, random }: { readonly namespace: string; readonly now: string; readonly random: Random },
): Promise<readonly Bell[]> {
  const staged = await findMessages(unit, namespace, parent, 'staged');
  if (staged.length === 0) return [];
  const bells: Bell[] = ['messages'];
  await update(unit, namespace, staged, { state: 'ready' });
  for (const { group, hasBlobs, data } of staged) {
    if (group !== null || !hasBlobs) continue;
    bells.push(...(await insertBlobUploads(unit, { namespace, items: data, created: now, random })));
  }
  return bells;
}

/**
 * In the unit in which an operation has failed for good: its message is `cancelled`, which no topic notices, since
 * nothing of it was pinned (docs/api.md §19.3). Resolves with whom to wake after the commit.
 */
export async function cancelMessages(
  unit: Unit,
  parent: Parent,
  { namespace, now }: { readonly namespace: string; readonly now: string },
): Promise<readonly Bell[]> {
  const staged = await findMessages(unit, namespace, parent, 'staged');
  if (staged.length === 0) return [];
  await update(unit, namespace, staged, { state: 'cancelled', rank: now });
  return ['cancellations'];
}

/**
 * In the unit that tries a failed operation again: the message that was cancelled with it waits again
 * (docs/api.md §18.2).
 */
export async function restageMessages(unit: Unit, namespace: string, parent: Parent): Promise<readonly MessageRow[]> {
  const cancelled = await findMessages(unit, namespace, parent, 'cancelled');
  // One that had been batched was cancelled with its batch, and its operation has not failed.
  const own = cancelled.filter(({ batch }) => batch === null);
  for (const message of own) await update(unit, namespace, [message], { state: 'staged', rank: `~${message.created}` });
  return own;
}

function findMessages(
  unit: Unit,
  namespace: string,
  { type, id }: Parent,
  state: MessageRow['state'],
): Promise<readonly MessageRow[]> {
  const where = [equal('parentId', id), equal('parentType', type), equal('state', state)];
  return unit.find('messages', { namespace, where, sort: oldestFirst, limit: maxMessages });
}

async function update(
  unit: Unit,
  namespace: string,
  messages: readonly MessageRow[],
  changes: Partial<Pick<MessageRow, 'state' | 'rank'>>,
): Promise<void> {
  const where = [
    among(
      'sequence',
      messages.map(({ sequence }) => sequence),
    ),
  ];
  await unit.update('messages', { namespace, where }, changes);
}

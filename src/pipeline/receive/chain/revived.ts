import type { Unit } from '../../../ports/database.js';
import type { BatchRow, MessageRow } from '../../../ports/tables/tables.js';
import { exactMessages } from '../../state/messages/exact.js';
import { noncesOf } from '../../state/messages/nonces.js';
import { reopenMessages } from '../../state/messages/reopened.js';

/**
 * Takes back the cancellation of a batch of this node. The chain had reverted its pin; after a reorganisation it has
 * mined the same transaction with effect, so all members decide the messages. A later batch may have got the freed
 * nonces; the one that is pinned first has them (docs/protocol.md §8.3).
 */
export async function reviveBatch(unit: Unit, { author, hash, manifest }: BatchRow): Promise<void> {
  const messages = [...(await exactMessages(unit, manifest ?? [])).values()];
  const own = messages.filter(({ batchHash, state }) => batchHash === hash && state === 'cancelled');
  await reopenMessages(unit, own);
  await takeNonces(unit, author, own);
}

/** Takes the nonces of the messages again, so that no later message gets them. */
async function takeNonces(unit: Unit, identity: string, messages: readonly MessageRow[]): Promise<void> {
  const taken = noncesOf(messages);
  if (taken.size === 0) return;
  const rows = await unit.rows('nonces', { context: [...taken.keys()], identity }, { limit: taken.size });
  for (const { context, nonce } of rows) {
    const next = (taken.get(context)?.highest ?? -1) + 1;
    if (next > nonce) await unit.update('nonces', { context, identity }, { nonce: next });
  }
}

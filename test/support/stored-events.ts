import { describedItems, newMessage } from '../../src/pipeline/state/messages/message-row.js';
import { newData } from '../../src/pipeline/state/data/data-row.js';
import { newGroup } from '../../src/pipeline/state/groups/group-row.js';
import { newMessageEvent } from '../../src/pipeline/state/events/event-row.js';
import { newTransaction } from '../../src/pipeline/state/chain/transaction-row.js';
import type { Database } from '../../src/ports/database.js';
import { alice, aMessage, anItem, uuid } from './fixtures.js';

export interface StoredEvents {
  readonly count: number;
  /** The tag of each message by index; default `stored`. */
  readonly tagOf?: (index: number) => string;
  /** Distinguishes several calls on one database. */
  readonly run?: number;
}

const created = '2026-01-15T10:00:00.118Z';
const rowsPerUnit = 1_000;

/**
 * Inserts old decided messages of alice with their events: unpinned, to a group of only her, all with one item and one
 * transaction. This is a hundred times faster than sending them.
 */
export async function storeEvents(
  database: Database,
  { count, tagOf = () => 'stored', run = 1 }: StoredEvents,
): Promise<readonly string[]> {
  const base = run * 100_000_000;
  const namespace = 'default';
  const item = anItem({ id: uuid(base), value: '17' });
  const members = [{ identity: alice.did, node: alice.node }];
  const group = newGroup(namespace, { name: `stored-${run}`, members, created });
  const tx = uuid(base + 1);
  await database.transaction(async (unit) => {
    await unit.insert('data', [newData(namespace, item)]);
    await unit.insert('groups', [group]);
    await unit.insert('transactions', [newTransaction(namespace, { id: tx, type: 'none', created })]);
  });
  const ids: string[] = [];
  for (let first = 0; first < count; first += rowsPerUnit) {
    const messages = Array.from({ length: Math.min(rowsPerUnit, count - first) }, (_, offset) => {
      const index = first + offset;
      const id = uuid(base + 10 + 2 * index);
      ids.push(id);
      const kind = { type: 'private', txtype: 'none', group: group.hash } as const;
      const sealed = aMessage({ id, created, topics: ['stored'], tag: tagOf(index), ...kind }, [item]);
      const items = describedItems([item]);
      return newMessage(sealed, { items, state: 'confirmed', pins: [], txid: tx, confirmed: created });
    });
    const events = messages.map((message, offset) => {
      const id = uuid(base + 11 + 2 * (first + offset));
      return newMessageEvent(message, { id, state: 'confirmed', tx, created });
    });
    await database.transaction(async (unit) => {
      await unit.insert('messages', messages);
      await unit.insert('events', events);
    });
  }
  return ids;
}

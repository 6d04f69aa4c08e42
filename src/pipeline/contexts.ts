import { groupContext, maskedPin } from '../domain/pin.js';
import type { Unit } from '../ports/database.js';
import type { GroupRow } from '../ports/messaging-tables.js';
import type { NewRow } from '../ports/tables.js';
import { among, equal, oldestFirst } from '../wire/query.js';

/**
 * From now on this node expects the first pin of every member of the group in those of the topics that are new to it
 * there (docs/protocol.md §8.4); contexts that it knows stay as they are. Resolves with the rows that it has made.
 */
export async function openContexts(
  unit: Unit,
  group: Pick<GroupRow, 'namespace' | 'hash' | 'members'>,
  topics: readonly string[],
): Promise<readonly NewRow<'nextpins'>[]> {
  const { namespace, hash, members } = group;
  const identities = [...new Set(members.map(({ identity }) => identity))];
  const byContext = new Map(topics.map((topic) => [groupContext(topic, hash), topic]));
  // All members have their rows from the same unit, so the rows of one of them tell which contexts are known.
  const where = [among('context', [...byContext.keys()]), equal('identity', identities[0] ?? '')];
  const known = await unit.find('nextpins', { namespace, where, sort: oldestFirst, limit: byContext.size });
  for (const { context } of known) byContext.delete(context);
  const rows = [...byContext].flatMap(([context, topic]) =>
    identities.map((identity) => {
      return { namespace, context, topic, group: hash, identity, nonce: 0, hash: maskedPin(topic, hash, identity, 0) };
    }),
  );
  await unit.insert('nextpins', rows);
  return rows;
}

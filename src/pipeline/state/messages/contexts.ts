import { systemNamespace } from '../../../domain/network/identity.js';
import { groupContext, maskedPin } from '../../../domain/messages/pin.js';
import type { Unit } from '../../../ports/database.js';
import { above } from '../../../ports/tables/where.js';
import type { GroupRow } from '../../../ports/tables/messaging-tables.js';
import type { NewRow } from '../../../ports/tables/tables.js';

/**
 * Starts expecting the first pin of every member of a group in topics that are new to the group (docs/protocol.md
 * §8.4); known contexts stay unchanged. Returns the new rows.
 */
export async function openContexts(
  unit: Unit,
  group: Pick<GroupRow, 'namespace' | 'hash' | 'members'>,
  topics: readonly string[],
): Promise<readonly NewRow<'nextpins'>[]> {
  const { namespace, hash, members } = group;
  const identities = [...new Set(members.map(({ identity }) => identity))];
  const byContext = new Map(topics.map((topic) => [groupContext(topic, hash), topic]));
  // One unit writes the rows of all members, so one member's rows tell which contexts are known.
  const ofOne = { context: [...byContext.keys()], identity: identities[0] ?? '' };
  const known = await unit.rows('nextpins', ofOne, { limit: byContext.size });
  for (const { context } of known) byContext.delete(context);
  const rows = [...byContext].flatMap(([context, topic]) =>
    identities.map((identity) => {
      return { namespace, context, topic, group: hash, identity, nonce: 0, hash: maskedPin(topic, hash, identity, 0) };
    }),
  );
  await unit.insert('nextpins', rows);
  return rows;
}

/**
 * Returns the contexts, and keys of unpinned messages, that wait for one of these conditions; all that wait by default.
 */
export async function findWaiting(unit: Unit, on?: readonly string[]): Promise<ReadonlySet<string>> {
  const where = on === undefined ? {} : { on };
  const contexts = new Set<string>();
  for (let after = 0, isWhole = false; !isWhole;) {
    const waits = await unit.rows('waits', { ...where, sequence: above(after) }, { limit: maxWaits });
    for (const { context } of waits) contexts.add(context);
    after = waits.at(-1)?.sequence ?? after;
    isWhole = waits.length < maxWaits;
  }
  return contexts;
}

/** Waits in one read. */
const maxWaits = 10_000;

/** Marks contexts as due, so that their heads are decided. */
export async function markDue(unit: Unit, contexts: Iterable<string>): Promise<void> {
  const rows = [...new Set(contexts)].map((context) => ({ namespace: systemNamespace, context }));
  if (rows.length > 0) await unit.put('due', rows);
}

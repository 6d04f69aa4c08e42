import type { Database, Reader } from '../../../ports/database.js';
import type { GroupMember } from '../../../wire/messages/group.js';
import type { OpenedGroup } from '../../../domain/messages/envelope.js';

/** Checks the members of groups. A positive result is cached: no identity leaves the registry or changes its node. */
export interface MemberCheck {
  /** Checks committed facts in advance, so that the unit has less to read. */
  prepare(database: Database, group: OpenedGroup): Promise<void>;
  /** Returns the reason why the members are invalid, `unknown`, or undefined; see `faultOfMembers`. */
  fault(reader: Reader, group: OpenedGroup): Promise<string | undefined>;
}

/** More groups than a node exchanges messages with at a time. */
const maxRemembered = 10_000;

/** Creates an empty cache. Only results from committed facts are kept (docs/architecture.md §9.2). */
export function createMemberCheck(): MemberCheck {
  const good = new Set<string>();
  return {
    async prepare(database, { hash, members }) {
      if (good.has(hash) || (await faultOfMembers(database, members)) !== undefined) return;
      if (good.size >= maxRemembered) good.clear();
      good.add(hash);
    },
    fault: async (reader, { hash, members }) => (good.has(hash) ? undefined : faultOfMembers(reader, members)),
  };
}

/**
 * Returns undefined if each member is a registered identity with a node of its own organisation (docs/protocol.md §6),
 * else the reason; `unknown` if the registry is not read far enough to tell (docs/protocol.md §11.3).
 */
async function faultOfMembers(reader: Reader, members: readonly GroupMember[]): Promise<string | undefined> {
  const dids = [...new Set(members.map(({ identity }) => identity))];
  const ids = [...new Set(members.map(({ node }) => node))];
  const named = await reader.rows('identities', { did: dids }, { limit: dids.length });
  const identities = new Map(named.map((row) => [row.did, row]));
  const nodes = new Map(
    (await reader.rows('identities', { id: ids }, { limit: ids.length })).map((row) => [row.id, row]),
  );
  if (identities.size < dids.length || nodes.size < ids.length) return 'unknown';
  const isOwn = ({ identity, node }: GroupMember) => {
    const organization = identities.get(identity)?.parent ?? identity;
    return nodes.get(node)?.type === 'node' && nodes.get(node)?.parent === organization;
  };
  const stranger = members.find((member) => !isOwn(member));
  return stranger === undefined ? undefined : `the node of ${stranger.identity} is not one of its organisation`;
}

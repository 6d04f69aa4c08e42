import { everyNamespace, type Reader } from '../../ports/database.js';
import type { GroupMember } from '../../wire/group.js';
import { among, oldestFirst } from '../../wire/query.js';

/**
 * Why the members of a group are none of this network, or undefined: each is a registered identity with a node of its
 * own organisation (S §6). `unknown`: the registry is not read far enough to tell (S §9.4).
 */
export async function faultOfMembers(reader: Reader, members: readonly GroupMember[]): Promise<string | undefined> {
  const dids = [...new Set(members.map(({ identity }) => identity))];
  const ids = [...new Set(members.map(({ node }) => node))];
  const find = (field: string, values: readonly string[]) => {
    const where = [among(field, values)];
    return reader.find('identities', { namespace: everyNamespace, where, sort: oldestFirst, limit: values.length });
  };
  const identities = new Map((await find('did', dids)).map((row) => [row.did, row]));
  const nodes = new Map((await find('id', ids)).map((row) => [row.id, row]));
  if (identities.size < dids.length || nodes.size < ids.length) return 'unknown';
  const isOwn = ({ identity, node }: GroupMember) => {
    const organization = identities.get(identity)?.parent ?? identity;
    return nodes.get(node)?.type === 'node' && nodes.get(node)?.parent === organization;
  };
  const stranger = members.find((member) => !isOwn(member));
  return stranger === undefined ? undefined : `the node of ${stranger.identity} is not one of its organisation`;
}

import { hashOfGroup, normalMembers } from '../../../domain/group.js';
import type { GroupRow } from '../../../ports/tables/messaging-tables.js';
import type { NewRow } from '../../../ports/tables/tables.js';

/** Builds the row of a group; members are sorted and deduplicated. */
export function newGroup(
  namespace: string,
  {
    name,
    members,
    created,
    message = null,
  }: Pick<GroupRow, 'name' | 'members' | 'created'> & Partial<Pick<GroupRow, 'message'>>,
): NewRow<'groups'> {
  const normal = normalMembers(members);
  return { namespace, hash: hashOfGroup(namespace, name, normal), name, members: normal, created, message };
}

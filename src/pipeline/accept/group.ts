import { canonicalDid, methodOf, reservedPrefix } from '../../domain/network/identity.js';
import { isMember } from '../../domain/group.js';
import { assert } from '../../domain/invariant.js';
import { networkLimits } from '../../domain/network/limits.js';
import type { Reader } from '../../ports/database.js';
import type { IdentityRow } from '../../ports/tables/chain-tables.js';
import type { NewRow } from '../../ports/tables/tables.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { GroupInput, GroupMember } from '../../wire/messages/group.js';
import { nearestHint } from '../../wire/lists/query.js';
import { hashPattern, namePattern } from '../../wire/scalar.js';
import { newGroup } from '../state/groups/group-row.js';
import { type Directory, organizationOf } from './identities/directory.js';

/** The group as named by a request: `header.group`, and `group` with members or a hash, or a hash itself. */
export interface GroupRequest {
  readonly namespace: string;
  /** DID; the author takes part with this node. */
  readonly author: string;
  readonly inHeader: unknown;
  readonly inBody: GroupInput | string | undefined;
  readonly now: string;
}

export interface ResolvedGroup {
  readonly group: NewRow<'groups'>;
  readonly self: GroupMember;
}

/**
 * Returns the group of a private message (docs/api.md §12), by its hash or by its members plus the author.
 *
 * @throws ServiceError field_type, not_hash, bad_name, reserved_name, too_many, group_required, group_member_blank,
 * group_hash_differs, group_unknown, author_not_in_group, identity_unknown, identity_without_node, node_unknown,
 * node_of_another
 */
export async function resolveGroup(
  database: Reader,
  directory: Directory,
  request: GroupRequest,
): Promise<ResolvedGroup> {
  const { inBody, namespace } = request;
  const input: GroupInput = typeof inBody === 'string' ? { hash: inBody } : (inBody ?? {});
  const hash = readHash(request.inHeader, input.hash);
  const name = readName(input.name);
  if ((input.members ?? []).length === 0) {
    if (hash === undefined) throw new ServiceError('group_required');
    const self = await authorMember(directory, request);
    const group = await findGroup(database, namespace, hash, self);
    if (name !== '' && name !== group.name) {
      throw new ServiceError('group_hash_differs', { expected: hash, actual: `"${name}", which is not its name` });
    }
    return { group, self };
  }
  const members = await resolveMembers(directory, input.members ?? []);
  const self = await authorMember(directory, request);
  const group = newGroup(namespace, { name, members: [...members, self], created: request.now });
  if (hash !== undefined && hash !== group.hash) {
    throw new ServiceError('group_hash_differs', { expected: hash, actual: `${group.hash} by its members` });
  }
  if (group.members.length > networkLimits.maxGroupMembers) {
    const [max, actual] = [networkLimits.maxGroupMembers, group.members.length];
    throw new ServiceError('too_many', { field: 'group.members', max, actual });
  }
  return { group, self };
}

function readHash(inHeader: unknown, inBody: string | undefined): string | undefined {
  if (inHeader !== undefined && typeof inHeader !== 'string') {
    const expected = 'the hash of a group; its members stand in "group" of the body';
    throw new ServiceError('field_type', { field: 'header.group', expected, actual: `of type ${typeof inHeader}` });
  }
  const [first, second] = [inHeader, inBody].filter((hash) => hash !== undefined);
  if (first === undefined) return undefined;
  if (!hashPattern.test(first)) throw new ServiceError('not_hash', { field: 'The group', actual: first });
  if (second !== undefined && second !== first) {
    throw new ServiceError('group_hash_differs', { expected: first, actual: second });
  }
  return first;
}

function readName(name = ''): string {
  if (name !== '' && !namePattern.test(name)) throw new ServiceError('bad_name', { field: 'group.name', actual: name });
  if (name.startsWith(reservedPrefix)) throw new ServiceError('reserved_name', { field: 'group.name', actual: name });
  return name;
}

/** Returns a known group. The author must be a member, because nobody can be added (docs/api.md §12). */
async function findGroup(
  database: Reader,
  namespace: string,
  hash: string,
  self: GroupMember,
): Promise<NewRow<'groups'>> {
  const group = await database.first('groups', { namespace, hash });
  if (group === undefined) throw new ServiceError('group_unknown', { hash, namespace });
  if (!isMember(group.members, self)) throw new ServiceError('author_not_in_group', { author: self.identity, hash });
  // Rebuilt without its sequence, because it is put again with the message.
  return newGroup(namespace, { name: group.name, members: group.members, created: group.created });
}

async function authorMember(directory: Directory, { author }: GroupRequest): Promise<GroupMember> {
  const [member] = await resolveMembers(directory, [{ identity: author }]);
  assert(member !== undefined, 'who is resolved is a member');
  return member;
}

type MemberInput = NonNullable<GroupInput['members']>[number];

async function resolveMembers(directory: Directory, inputs: readonly MemberInput[]): Promise<GroupMember[]> {
  // Above this, the group would be too large even if every member were named twice.
  if (inputs.length > 2 * networkLimits.maxGroupMembers) {
    const [max, actual] = [networkLimits.maxGroupMembers, inputs.length];
    throw new ServiceError('too_many', { field: 'group.members', max, actual });
  }
  const names = inputs.map(({ identity = '' }, index) => {
    if (identity.trim() === '') throw new ServiceError('group_member_blank', { index });
    return identity;
  });
  const parties = await directory.parties(names);
  const stranger = names.find((name) => parties(name) === undefined);
  if (stranger !== undefined) throw await strangerFault(directory, stranger);
  const identities = names.flatMap((name) => parties(name) ?? []);
  const nodes = await directory.nodesOf(identities.map(organizationOf));
  const members: GroupMember[] = [];
  for (const [index, identity] of identities.entries()) {
    const own = nodes.filter(({ parent }) => parent === organizationOf(identity));
    const node = inputs[index]?.node;
    const found = own.find((row) => node === undefined || isNamed(row, node));
    if (found === undefined) throw await nodeFault(directory, identity, node);
    members.push({ identity: identity.did, node: found.id });
  }
  return members;
}

async function strangerFault(directory: Directory, name: string): Promise<ServiceError> {
  const hint = nearestHint(name, await directory.organizations());
  return new ServiceError('identity_unknown', { actual: name, hint });
}

/** Nodes may be named by name, DID or id. */
function isNamed({ id, did, name }: IdentityRow, node: string): boolean {
  return node === name || canonicalDid(node, methodOf(did)) === did || node.toLowerCase() === id;
}

async function nodeFault(directory: Directory, { did }: IdentityRow, node: string | undefined): Promise<ServiceError> {
  if (node === undefined) return new ServiceError('identity_without_node', { identity: did });
  const isKnown = (await directory.allNodes()).some((row) => isNamed(row, node));
  if (!isKnown) return new ServiceError('node_unknown', { actual: node });
  return new ServiceError('node_of_another', { actual: node, identity: did });
}

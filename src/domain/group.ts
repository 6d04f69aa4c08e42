import type { GroupMember } from '../wire/messages/group.js';
import { textOf } from '../wire/json/json.js';
import { sha256 } from './hash.js';

/**
 * Hash of a group: over its compact text with the members sorted by identity, then node, as bytes. The given order does
 * not matter (docs/protocol.md §3.1, §6).
 */
export function hashOfGroup(namespace: string, name: string, members: readonly GroupMember[]): string {
  return sha256(textOf({ namespace, name, members: sortMembers(members) }));
}

/** Members in normal form: sorted by identity, then node, without duplicates (docs/protocol.md §6). */
export function normalMembers(members: readonly GroupMember[]): GroupMember[] {
  return sortMembers(members).filter((member, index, sorted) => {
    const before = sorted[index - 1];
    return before?.identity !== member.identity || before.node !== member.node;
  });
}

/** Whether an identity is a member of a group with this node. */
export function isMember(members: readonly GroupMember[], member: GroupMember): boolean {
  return members.some(({ identity, node }) => identity === member.identity && node === member.node);
}

function sortMembers(members: readonly GroupMember[]): GroupMember[] {
  return members
    .map(({ identity, node }) => ({ identity, node }))
    .sort((a, b) => compareBytes(a.identity, b.identity) || compareBytes(a.node, b.node));
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

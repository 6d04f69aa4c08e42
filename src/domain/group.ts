import type { GroupMember } from '../wire/group.js';
import { textOf } from '../wire/json.js';
import { sha256 } from './hash.js';

/**
 * Hash of a group: over its compact text with the members sorted by identity, then node, as bytes. The order of listing
 * does not matter (S §5, §6).
 */
export function hashOfGroup(namespace: string, name: string, members: readonly GroupMember[]): string {
  const sorted = members
    .map(({ identity, node }) => ({ identity, node }))
    .sort((a, b) => compareBytes(a.identity, b.identity) || compareBytes(a.node, b.node));
  return sha256(textOf({ namespace, name, members: sorted }));
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

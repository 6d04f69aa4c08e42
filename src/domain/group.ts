import { textOf } from '../wire/json.js';
import { sha256 } from './hash.js';

/** A member of a group: an identity, and the node of its organisation that takes part for it. */
export interface GroupMember {
  /** DID. */
  readonly identity: string;
  /** Id of the node. */
  readonly node: string;
}

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

import { type Owner, useOwners } from '../api/owners.js';
import { useRead } from '../api/read.js';

/** A signing key of this node. */
export interface HeldKey {
  /** The address in lower case. */
  readonly key: string;
  /** The identity of the key; undefined if it is not registered yet. */
  readonly owner: Owner | undefined;
}

/** The signing keys of this node, the organisation's first. Empty while loading. */
export function useHeldKeys(): readonly HeldKey[] {
  const status = useRead('status', [], (client, signal) => client.getStatus({ signal }));
  const { byKey } = useOwners();
  const keys = status.data?.value.parley.keys ?? [];
  return keys.map((key) => ({ key, owner: byKey.get(key) }));
}

export function shortKey(key: string): string {
  return `${key.slice(0, 8)}…${key.slice(-4)}`;
}

import { type Owner, useOwners } from '../api/owners.js';
import { useRead } from '../api/read.js';

/** A key that this node signs with. */
export interface HeldKey {
  /** An address in lower case. */
  readonly key: string;
  /** The identity that it is registered for; undefined for a key that can still be given to one. */
  readonly owner: Owner | undefined;
}

/** The keys that this node holds, the organisation's first; none until they are read. */
export function useHeldKeys(): readonly HeldKey[] {
  const status = useRead('status', [], (client, signal) => client.getStatus({ signal }));
  const { byKey } = useOwners();
  const keys = status.data?.value.parley.keys ?? [];
  return keys.map((key) => ({ key, owner: byKey.get(key) }));
}

/** A key in a few characters, as far as it takes to tell it from others. */
export function shortKey(key: string): string {
  return `${key.slice(0, 8)}…${key.slice(-4)}`;
}

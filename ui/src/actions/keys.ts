import { useExplorer } from '../api/explorer.js';
import { type Owner, useOwners } from '../api/owners.js';

/** A key that this node signs with. */
export interface HeldKey {
  /** An address in lower case. */
  readonly key: string;
  /** The identity that it is registered for; undefined for a key that can still be given to one. */
  readonly owner: Owner | undefined;
}

/** The keys of this party and of its custom identities, the organisation's first; none until they are read. */
export function useHeldKeys(): readonly HeldKey[] {
  const { config } = useExplorer();
  const { owners, organizations } = useOwners();
  const own = organizations.find(({ name }) => name === config.party);
  if (own === undefined) return [];
  const custom = owners.filter(({ parent }) => parent === own.id);
  return [own, ...custom].flatMap((owner) => owner.keys.map((key) => ({ key, owner })));
}

/** A key in a few characters, as far as it takes to tell it from others. */
export function shortKey(key: string): string {
  return `${key.slice(0, 8)}…${key.slice(-4)}`;
}

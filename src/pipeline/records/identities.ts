import { identityId } from '../../domain/identity.js';
import type { ProfileRow } from '../../ports/messaging-tables.js';
import type { IdentityRow } from '../../ports/tables.js';
import type { Identity } from '../../wire/identity.js';
import { textOf } from '../../wire/json.js';
import type { JsonText } from '../../wire/scalar.js';

export function identityRecord(row: IdentityRow, said: ProfileRow | undefined, namespace: string): Identity {
  const { id, did, type, parent, name, created } = row;
  const description = said?.description ?? null;
  const profile = profileOf(row, said);
  return {
    id,
    did,
    type,
    ...(parent !== null && { parent: identityId(parent) }),
    namespace,
    name,
    ...(description !== null && { description }),
    ...(profile !== undefined && { profile }),
    messages: { claim: claimOf(row, said), verification: null, update: said?.message ?? null },
    created,
    updated: lastChange(row, said),
  };
}

/** The message with the owner's claim; organisations and nodes are only claimed on chain. */
export function claimOf({ type }: IdentityRow, said: ProfileRow | undefined): string | null {
  return type === 'custom' ? (said?.claim ?? null) : null;
}

/** Time of the last change, by the owner or on the chain. */
export function lastChange({ created, updated }: IdentityRow, said: ProfileRow | undefined): string {
  return [created, updated ?? '', said?.updated ?? ''].sort().at(-1) ?? created;
}

/** The profile that the owner published; for a node without one, its endpoint and public key. */
export function profileOf(
  { type, endpoint, publicKeyHash }: IdentityRow,
  said: ProfileRow | undefined,
): JsonText | undefined {
  if (said !== undefined && said.profile !== null) return said.profile;
  return type === 'node' ? textOf({ id: publicKeyHash, endpoint }) : undefined;
}

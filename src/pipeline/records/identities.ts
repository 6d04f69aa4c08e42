import { identityId } from '../../domain/network/identity.js';
import type { ProfileRow } from '../../ports/tables/messaging-tables.js';
import type { IdentityRow } from '../../ports/tables/chain-tables.js';
import type { Identity } from '../../wire/identities/identity.js';
import { textOf } from '../../wire/json/json.js';
import type { JsonText } from '../../wire/scalar.js';

export function identityRecord(row: IdentityRow, profileRow: ProfileRow | undefined, namespace: string): Identity {
  const { id, did, type, parent, name, created } = row;
  const description = profileRow?.description ?? null;
  const profile = profileOf(row, profileRow);
  return {
    id,
    did,
    type,
    ...(parent !== null && { parent: identityId(parent) }),
    namespace,
    name,
    ...(description !== null && { description }),
    ...(profile !== undefined && { profile }),
    messages: { claim: claimOf(row, profileRow), verification: null, update: profileRow?.message ?? null },
    created,
    updated: lastChange(row, profileRow),
  };
}

/** The message with the owner's claim; organisations and nodes are only claimed on chain. */
export function claimOf({ type }: IdentityRow, profileRow: ProfileRow | undefined): string | null {
  return type === 'custom' ? (profileRow?.claim ?? null) : null;
}

/** Time of the last change, by the owner or on the chain. */
export function lastChange({ created, updated }: IdentityRow, profileRow: ProfileRow | undefined): string {
  return [created, updated ?? '', profileRow?.updated ?? ''].sort().at(-1) ?? created;
}

/** The profile that the owner published; for a node without one, its endpoint and public key. */
export function profileOf(
  { type, endpoint, publicKeyHash }: IdentityRow,
  profileRow: ProfileRow | undefined,
): JsonText | undefined {
  if (profileRow !== undefined && profileRow.profile !== null) return profileRow.profile;
  return type === 'node' ? textOf({ id: publicKeyHash, endpoint }) : undefined;
}

import { identityId } from '../../domain/identity.js';
import type { ProfileRow } from '../../ports/messaging-tables.js';
import type { IdentityRow } from '../../ports/tables.js';
import type { Identity } from '../../wire/identity.js';
import { textOf } from '../../wire/json.js';
import type { JsonText } from '../../wire/scalar.js';

/** An identity as it is served. */
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

/** The message in which its owner said what it is: those of organisations and nodes come from the chain alone. */
export function claimOf({ type }: IdentityRow, said: ProfileRow | undefined): string | null {
  return type === 'custom' ? (said?.claim ?? null) : null;
}

/** When anything of it was changed last, by its owner or on the chain. */
export function lastChange({ created, updated }: IdentityRow, said: ProfileRow | undefined): string {
  return [created, updated ?? '', said?.updated ?? ''].sort().at(-1) ?? created;
}

/** The profile that its owner published; for a node without one, its address and the key that identifies it. */
export function profileOf(
  { type, endpoint, publicKeyHash }: IdentityRow,
  said: ProfileRow | undefined,
): JsonText | undefined {
  if (said !== undefined && said.profile !== null) return said.profile;
  return type === 'node' ? textOf({ id: publicKeyHash, endpoint }) : undefined;
}

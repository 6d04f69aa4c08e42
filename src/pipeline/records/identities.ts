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
    messages: { claim: null, verification: null, update: said?.message ?? null },
    created,
    updated: lastChange(row, said),
  };
}

/** When anything of it was changed last, by its owner or on the chain. */
export function lastChange({ created, updated }: IdentityRow, said: ProfileRow | undefined): string {
  return [created, updated ?? '', said?.updated ?? ''].sort().at(-1) ?? created;
}

/** What its owner said of it; of a node that has said nothing, where it is found and by which key it is known. */
export function profileOf(
  { type, endpoint, publicKeyHash }: IdentityRow,
  said: ProfileRow | undefined,
): JsonText | undefined {
  if (said !== undefined && said.profile !== null) return said.profile;
  return type === 'node' ? textOf({ id: publicKeyHash, endpoint }) : undefined;
}

import { useOwners } from '../../api/owners.js';
import { IdentityName } from './author.js';
import { Id } from './id.js';

/** The name of the owner of an address, or the shortened address if unknown. */
export function KeyOwner({ value }: { readonly value: string }) {
  const owner = useOwners().byKey.get(value.toLowerCase());
  if (owner === undefined) return <Id id={value} what="the address" />;
  return (
    <span title={value}>
      <IdentityName did={owner.did} />
    </span>
  );
}

/** The name of the owner of an address, if known, and the address. */
export function KeyAndOwner({ value }: { readonly value: string }) {
  const owner = useOwners().byKey.get(value.toLowerCase());
  return (
    <>
      {owner !== undefined && <IdentityName did={owner.did} />} <Id id={value} what="the address" />
    </>
  );
}

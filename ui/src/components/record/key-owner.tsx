import { useOwners } from '../../api/owners.js';
import { Id } from './id.js';
import { Text } from '../text/text.js';

/** An address of the chain: the name of whose it is, or its beginning. */
export function KeyOwner({ value }: { readonly value: string }) {
  const owner = useOwners().byKey.get(value.toLowerCase());
  if (owner === undefined) return <Id id={value} what="the address" />;
  return (
    <span title={value}>
      <Text value={owner.name} />
    </span>
  );
}

/** The same with the address beside the name, where there is room. */
export function KeyAndOwner({ value }: { readonly value: string }) {
  const owner = useOwners().byKey.get(value.toLowerCase());
  return (
    <>
      {owner !== undefined && <Text value={owner.name} />} <Id id={value} what="the address" />
    </>
  );
}

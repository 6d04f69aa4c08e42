import { useMemo } from 'react';
import { readPage } from '../../../src/client/page.js';
import { useRead } from './read.js';

/** An organisation or custom identity, with its registered keys. */
export interface Owner {
  readonly id: string;
  readonly name: string;
  readonly did: string;
  readonly type: 'org' | 'node' | 'custom';
  /** Id of the parent identity; undefined for organisations at the root. */
  readonly parent: string | undefined;
  readonly keys: readonly string[];
}

const maxOwners = '1000';

/** The identities that may hold tokens or sign calls, by name and by key. */
export function useOwners() {
  const identities = useRead('identities', ['owners'], async (client, signal) => {
    const where = [
      ['fetchverifiers', 'true'],
      ['limit', maxOwners],
    ] as const;
    const { entries } = await readPage(client, 'listIdentities', where, signal);
    return entries.map(({ value }) => value);
  });
  return useMemo(() => {
    const owners: readonly Owner[] = (identities.data ?? [])
      .filter(({ type }) => type !== 'node')
      .map(({ id, name, did, type, parent, verifiers = [] }) => ({
        id,
        name,
        did,
        type,
        parent,
        keys: verifiers.flatMap((each) => (each.type === 'ethereum_address' ? [each.value.toLowerCase()] : [])),
      }))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
    const byKey = new Map(owners.flatMap((owner) => owner.keys.map((key) => [key, owner] as const)));
    return { owners, organizations: owners.filter(({ type }) => type === 'org'), byKey };
  }, [identities.data]);
}

import { useMemo } from 'react';
import { readPage } from '../../../../src/client/page.js';
import type { ContractInterface } from '../../../../src/wire/contracts/contract.js';
import { useRead } from '../../api/read.js';
import { Link } from '../../components/link.js';
import { Text } from '../../components/text/text.js';

const maxInterfaces = '1000';

/** Reads the interfaces of the namespace by id, without their members. */
export function useInterfaces(): ReadonlyMap<string, ContractInterface> {
  const found = useRead('interfaces', ['all'], (client, signal) =>
    readPage(client, 'listContractInterfaces', [['limit', maxInterfaces]], signal),
  );
  return useMemo(() => new Map(found.data?.entries.map(({ value }) => [value.id ?? '', value])), [found.data]);
}

/** A link to an interface, with name and version. */
export function InterfaceName({ id }: { readonly id: string | undefined }) {
  const found = useInterfaces().get(id ?? '');
  if (id === undefined) return null;
  return (
    <Link to={{ page: 'contracts', id: undefined, filters: [], open: id }}>
      <Text value={found === undefined ? id.slice(0, 8) : `${found.name} ${found.version}`} />
    </Link>
  );
}

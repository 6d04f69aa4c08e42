import { useMemo } from 'react';
import { readPage } from '../../../../src/client/page.js';
import type { TokenPool } from '../../../../src/wire/token.js';
import { useRead } from '../../api/read.js';

const maxPools = '1000';

export function usePools(): ReadonlyMap<string, TokenPool> {
  const pools = useRead('pools', ['all'], (client, signal) =>
    readPage(client, 'listTokenPools', [['limit', maxPools]], signal),
  );
  return useMemo(() => new Map(pools.data?.entries.map(({ value }) => [value.id, value])), [pools.data]);
}

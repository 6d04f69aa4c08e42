import { assert } from '../../../domain/invariant.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import { write } from '../../../wire/json/json.js';
import { compact } from '../../../wire/json/json-reader.js';
import type { JsonText } from '../../../wire/scalar.js';
import { PoolDefinition } from '../../../wire/token.js';

/** Returns the record that defines a pool for all members (docs/api.md §19.1). */
export function poolDefinition(pool: PoolRow, networkName: string): JsonText {
  const { id, type, namespace, standard, locator, key, symbol, decimals, connector, txid } = pool;
  assert(standard !== null && locator !== null && txid !== null, 'a pool is defined when it is on chain');
  const { interface: itsInterface, interfaceFormat, methods } = pool;
  const record: PoolDefinition = {
    id,
    type,
    namespace,
    name: networkName,
    standard,
    locator,
    ...(key !== null && { key }),
    ...(symbol !== null && { symbol }),
    decimals,
    connector,
    tx: { type: 'token_pool', id: txid },
    ...(itsInterface !== null && { interface: { id: itsInterface } }),
    ...(interfaceFormat !== null && { interfaceFormat }),
    ...(methods !== null && { methods }),
  };
  return compact(write(PoolDefinition, record));
}

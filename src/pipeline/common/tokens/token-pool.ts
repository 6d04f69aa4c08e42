import { readPoolDefinition } from '../../../domain/definition.js';
import { assert } from '../../../domain/invariant.js';
import type { Reader } from '../../../ports/database.js';
import type { MessageRow } from '../../../ports/tables/tables.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import { write } from '../../../wire/json/json.js';
import { compact } from '../../../wire/json/json-reader.js';
import type { JsonText } from '../../../wire/scalar.js';
import { PoolDefinition } from '../../../wire/token.js';
import { exactItems } from '../messages/exact.js';

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

/** Returns the record of a message that defines a pool; undefined if it has none. */
export async function definedPool(
  reader: Reader,
  { topics, data }: Pick<MessageRow, 'topics' | 'data'>,
): Promise<PoolDefinition | undefined> {
  const [item] = (await exactItems(reader, data)).values();
  return item && readPoolDefinition(topics, item.value).record;
}

import { poolTag, readPoolDefinition } from '../../../domain/definition.js';
import { assert } from '../../../domain/invariant.js';
import { systemNamespace } from '../../../domain/network/identity.js';
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

/** More than are cancelled between two looks. */
const maxCancelled = 1_000;

/** Returns a definition of a pool that was cancelled with its batch; its pool may be deleted. */
export async function cancelledDefinition(
  reader: Reader,
  { namespace, id }: Pick<PoolRow, 'namespace' | 'id'>,
): Promise<MessageRow | undefined> {
  const cancelled = { namespace: systemNamespace, type: 'definition', tag: poolTag, state: 'cancelled' } as const;
  const messages = await reader.rows('messages', cancelled, { limit: maxCancelled, newestFirst: true });
  for (const message of messages) {
    const record = await definedPool(reader, message);
    if (record?.namespace === namespace && record.id === id) return message;
  }
  return undefined;
}

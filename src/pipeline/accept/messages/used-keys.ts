import { givenKey, storedKey } from '../../../domain/definition.js';
import { definitionTopic } from '../../../domain/network/identity.js';
import type { Reader } from '../../../ports/database.js';
import type { MessageRow, NewRow } from '../../../ports/tables/tables.js';
import { above, every } from '../../../ports/tables/where.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { createSharedRun } from '../../shared-run.js';

/**
 * Refuses a message whose idempotency key was used by a message of its namespace or by a definition for it
 * (docs/api.md §5). Resolves with the rest of the check, for the unit that stores the message: units run one at a time,
 * so of several requests with the same key only the first passes.
 *
 * Both throw ServiceError idempotency_key_used.
 */
export type RefuseUsedKey = (message: Keyed) => Promise<Recheck>;
export type Recheck = (unit: Reader) => Promise<void>;

type Keyed = Pick<NewRow<'messages'>, 'type' | 'namespace' | 'idempotencyKey'>;

/**
 * Creates the check of a node. Before the unit, one read for many requests searches all messages; the unit only checks
 * newer ones, which are in memory.
 */
export function createRefuseUsedKey(database: Reader): RefuseUsedKey {
  let asked: string[] = [];
  let newest = 0;

  const readTogether = createSharedRun(async () => {
    const keys = [...new Set(asked)];
    asked = [];
    // Taken before the read, which therefore sees all messages up to this one.
    newest = (await database.last('messages', { namespace: every, sequence: above(newest) }))?.sequence ?? newest;
    return { after: newest, uses: await findUses(database, keys) };
  });

  return async (message) => {
    const use = useOf(message);
    if (use === undefined) return () => Promise.resolve();
    asked.push(use.key, use.ofDefinition);
    const { after, uses } = await readTogether();
    refuse(use, uses);
    return async (unit) => refuse(use, await findUses(unit, [use.key, use.ofDefinition], after));
  };
}

/** A use of a key. The definitions for a namespace have one topic, which their stored keys begin with. */
interface Use {
  readonly key: string;
  readonly topic: string;
  readonly ofDefinition: string;
}

function useOf({ type, namespace, idempotencyKey: stored }: Keyed): Use | undefined {
  if (stored === null) return undefined;
  const key = givenKey(type, stored);
  const topic = type === 'definition' ? stored.slice(0, -key.length - 1) : definitionTopic(namespace);
  return { key, topic, ofDefinition: storedKey(topic, key) };
}

function refuse({ key, topic, ofDefinition }: Use, uses: readonly MessageRow[]): void {
  const first = uses.find((row) => {
    if (row.type === 'definition') return row.idempotencyKey === ofDefinition;
    return row.idempotencyKey === key && definitionTopic(row.namespace) === topic;
  });
  if (first !== undefined) throw new ServiceError('idempotency_key_used', { key, id: first.id });
}

function findUses(reader: Reader, keys: readonly string[], after?: number): Promise<readonly MessageRow[]> {
  const where = { namespace: every, idempotencyKey: keys } as const;
  const recent = after === undefined ? where : { ...where, sequence: above(after) };
  return reader.rows('messages', recent, { limit: keys.length * maxNamespaces });
}

/** More namespaces than a node has; each may use a key once. */
const maxNamespaces = 10_000;

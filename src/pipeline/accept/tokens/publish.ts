import { poolTag } from '../../../domain/definition.js';
import { definitionTopic } from '../../../domain/network/identity.js';
import type { Reader } from '../../../ports/database.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import { every } from '../../../ports/tables/where.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { Message } from '../../../wire/messages/message.js';
import type { PublishRequest, TokenPool } from '../../../wire/token.js';
import { abandonPool, releasePool } from '../../state/tokens/pool.js';
import { definingKey } from '../../state/identities/registered-key.js';
import { poolDefinition } from '../../state/tokens/token-pool.js';
import { poolRecord } from '../../records/tokens.js';
import { checkIdempotencyKey } from '../messages/request.js';
import { refuseUnpublished } from './interface.js';
import { refuseSystemNamespace } from '../share.js';
import { namedPool } from './names.js';
import type { TokenAcceptParts } from './operation.js';
import { checkPoolName, refuseTaken } from './pool.js';

/** Publishes and deletes local pools (docs/api.md §19.1). */
export interface PoolPublisher {
  /**
   * Sends the definition of a pool. Returns the current pool, and the message. `permit` may throw to refuse the signing
   * key, which is that of the pool's creator: a definition by another key is rejected.
   *
   * @throws ServiceError not_found, already_published, pool_not_active, interface_not_published, bad_name,
   * uuid_as_name, reserved_name, network_name_used, too_long, idempotency_key_used
   */
  readonly publishPool: (
    namespace: string,
    nameOrId: string,
    request: PublishRequest,
    permit?: (key: string) => void,
  ) => Promise<{ readonly record: TokenPool; readonly message: Message }>;
  /** Deletes a pool with all its records. @throws ServiceError not_found, published_kept */
  readonly deletePool: (namespace: string, nameOrId: string) => Promise<void>;
}

export function createPoolPublisher(parts: TokenAcceptParts): PoolPublisher {
  const { database, own, bus, prepareDefinition } = parts;
  return {
    async publishPool(namespace, nameOrId, { networkName, idempotencyKey }, permit = () => undefined) {
      refuseSystemNamespace(namespace);
      checkIdempotencyKey(idempotencyKey);
      const pool = await namedPool(database, namespace, nameOrId);
      const wanted = networkName ?? pool.name;
      checkPoolName('networkName', wanted);
      // A repeated request gets the answer of the first one when it is stored.
      if (idempotencyKey === undefined) await refuseShared(database, pool, 'already_published');
      if (!pool.active) {
        throw new ServiceError('pool_not_active', { name: pool.name, problem: 'only active pools can be published' });
      }
      await refuseInterface(database, pool);
      const key =
        pool.key !== null && own.keys.includes(pool.key) ? await definingKey(database, own, pool.key) : own.key;
      permit(key);
      const definition = await prepareDefinition({
        tag: poolTag,
        topics: [definitionTopic(namespace)],
        value: poolDefinition(pool, wanted),
        key,
        idempotencyKey,
      });
      const { message } = definition;
      const bells = await database.transaction(async (unit) => {
        const rung = await definition.store(unit);
        // Another request may have been first.
        await refuseShared(unit, await namedPool(unit, namespace, pool.id), 'already_published');
        await refuseTaken(unit, { namespace, networkName: wanted });
        await unit.update('pools', { namespace, id: pool.id }, { message: message.header.id });
        return rung;
      });
      definition.announce(bells);
      return { record: poolRecord({ ...pool, message: message.header.id }), message };
    },

    async deletePool(namespace, nameOrId) {
      refuseSystemNamespace(namespace);
      const { id } = await namedPool(database, namespace, nameOrId);
      const bells = await database.transaction(async (unit) => {
        const pool = await namedPool(unit, namespace, id);
        await refuseShared(unit, pool, 'published_kept');
        await abandonPool(unit, pool);
        // A definition of another member may have its id and be checked now.
        return releasePool(unit, pool);
      });
      bus.ring(...bells);
    },
  };
}

/** Refuses a pool that is published or whose definition is not decided yet. */
async function refuseShared(
  reader: Reader,
  pool: PoolRow,
  refusal: 'already_published' | 'published_kept',
): Promise<void> {
  const { name, published, message } = pool;
  if (published || (message !== null && (await isUndecided(reader, message)))) {
    throw new ServiceError(refusal, { what: `The token pool ${name}` });
  }
}

function isUndecided(reader: Reader, message: string): Promise<boolean> {
  return reader.has('messages', { namespace: every, id: message, state: ['ready', 'staged'] });
}

async function refuseInterface(reader: Reader, { namespace, interface: id }: PoolRow): Promise<void> {
  if (id === null) return;
  const row = await reader.first('interfaces', { namespace, id });
  refuseUnpublished(row ?? { id, published: false });
}

import { type ProfileRules, profileRulesOf } from '../../../domain/network/profile.js';
import { checkRecordName } from '../../../domain/definition.js';
import { reservedPrefix } from '../../../domain/network/identity.js';
import {
  type EventFilter,
  maxListeners,
  readFilters,
  signatureOfAll,
  sourceSubject,
  subjectOfAll,
  writeEvent,
  writeFilters,
} from '../../../domain/contracts/listener.js';
import { type Blockchain, ChainError } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database, Reader, Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { ListenerRow } from '../../../ports/tables/contract-tables.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import type { ListenerRequest } from '../../../wire/contracts/contract.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { textOf, valueOf } from '../../../wire/json/json.js';
import { type JsonText, namePattern } from '../../../wire/scalar.js';
import type { Bus } from '../../bus.js';
import { readCursor } from '../../state/chain/cursor.js';
import { readListenedFor } from './listener-event.js';
import { byIdOrName } from '../by-id-or-name.js';
import { refuseSystemNamespace } from '../share.js';

export interface ListenerParts {
  readonly database: Database;
  readonly blockchain: Pick<Blockchain, 'status'>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly profileRules?: Pick<ProfileRules, 'listenersBegin'> | undefined;
}

/** Accepts listeners for contract events (docs/api.md §20). Each call resolves once the change is on disk. */
export interface ListenerAcceptance {
  /**
   * Creates a listener. Its first block is fixed now; past events are read later.
   *
   * @throws ServiceError namespace_read_only, field_required, bad_name, uuid_as_name, reserved_name, first_event,
   * listener_exists, listener_twice, too_many_listeners, stopping if the chain does not answer and this node has read
   * nothing of it yet, and those of `readListenedFor`
   */
  readonly createListener: (namespace: string, request: ListenerRequest) => Promise<ListenerRow>;
  /** Deletes a listener by id or name; its recorded events stay. @throws ServiceError not_found */
  readonly deleteListener: (namespace: string, nameOrId: string) => Promise<void>;
  /** Returns the signature that a listener would have. @throws ServiceError those of `readListenedFor` */
  readonly signatureOfListener: (namespace: string, request: ListenerRequest) => Promise<string>;
}

export function createListenerAcceptance({
  database,
  blockchain,
  bus,
  clock,
  random,
  profileRules = profileRulesOf(undefined),
}: ListenerParts): ListenerAcceptance {
  return {
    async createListener(namespace, request) {
      refuseSystemNamespace(namespace);
      const topic = readTopic(request.topic);
      const filters = await readListenedFor(database, namespace, request);
      const { shown, first } = readFirstEvent(request.options?.firstEvent, profileRules);
      const id = random.uuid();
      if (request.name !== undefined) checkName(request.name);
      const row = {
        namespace,
        id,
        name: request.name ?? id,
        backendId: id,
        topic,
        ...filterColumns(filters),
        options: textOf({ firstEvent: shown }),
        state: 'joining',
        created: clock.now(),
        updated: null,
      } as const;
      const from = first === 'newest' ? (await lastBlock(database, blockchain)) + 1 : first;
      const stored = await database.transaction(async (unit) => {
        await refuseTaken(unit, row, filters);
        const cursor = first === 'newest' ? await readCursor(unit) : undefined;
        const firstBlock = cursor === undefined ? from : cursor.block + 1;
        await unit.insert('listeners', [{ ...row, firstBlock }]);
        return findListener(unit, namespace, id);
      });
      bus.ring('listeners');
      return stored;
    },

    async deleteListener(namespace, nameOrId) {
      await database.transaction(async (unit) => {
        const { id, filters } = await findListener(unit, namespace, nameOrId);
        const subjects = [null, ...readFilters(filters).map(({ address }) => address)].map((address) => {
          return sourceSubject(id, address);
        });
        await unit.remove('listeners', { namespace, id });
        await unit.remove('sources', { namespace, kind: 'listener', subject: subjects });
      });
    },

    signatureOfListener: async (namespace, request) =>
      signatureOfAll(await readListenedFor(database, namespace, request)),
  };
}

/** Returns a listener by id or name. @throws ServiceError not_found */
export async function findListener(reader: Reader, namespace: string, nameOrId: string): Promise<ListenerRow> {
  const row = await reader.first('listeners', { namespace, ...byIdOrName(nameOrId) });
  if (row === undefined)
    throw new ServiceError('not_found', { what: `listener ${nameOrId} in namespace ${namespace}` });
  return row;
}

/** The columns of a listener's filters; a listener with a single filter repeats it in its own columns. */
function filterColumns(
  filters: readonly EventFilter[],
): Pick<NewRow<'listeners'>, 'interface' | 'location' | 'event' | 'signature' | 'filters'> {
  const [first] = filters;
  const only = filters.length === 1 ? first?.shown : undefined;
  return {
    interface: only?.interface?.id ?? null,
    location: only?.location ?? null,
    event: only?.event === undefined ? null : writeEvent(only.event),
    signature: signatureOfAll(filters),
    filters: writeFilters(filters),
  };
}

/** Units run one at a time, so the second of two equal requests is refused here. */
async function refuseTaken(
  unit: Unit,
  { namespace, name, topic, signature }: Pick<ListenerRow, 'namespace' | 'name' | 'topic' | 'signature'>,
  filters: readonly EventFilter[],
): Promise<void> {
  if ((await unit.count('listeners', { namespace: every })) >= maxListeners) {
    throw new ServiceError('too_many_listeners', { max: maxListeners });
  }
  if (await unit.has('listeners', { namespace, name })) {
    throw new ServiceError('listener_exists', { name, namespace });
  }
  const alike = await unit.rows('listeners', { namespace, topic, signature }, { limit: maxListeners });
  const subject = subjectOfAll(filters);
  const same = alike.find(({ filters }) => subjectOfAll(readFilters(filters)) === subject);
  if (same !== undefined) throw new ServiceError('listener_twice', { name: same.name, signature, topic });
}

/**
 * Returns the last block that this node has read, or, before it has read any, the newest block of the chain: calls
 * after the answer are in later blocks.
 *
 * @throws ServiceError stopping
 */
async function lastBlock(reader: Reader, blockchain: ListenerParts['blockchain']): Promise<number> {
  const cursor = await readCursor(reader);
  if (cursor !== undefined) return cursor.block;
  try {
    return (await blockchain.status()).confirmed;
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw new ServiceError('stopping', { what: 'The chain does not answer now' });
  }
}

function checkName(name: string): void {
  checkRecordName('name', name);
  if (name.startsWith(reservedPrefix)) throw new ServiceError('reserved_name', { field: 'The name', actual: name });
}

function readTopic(topic: string | undefined): string {
  if (topic === undefined || topic === '') throw new ServiceError('field_required', { field: 'topic', hint: '' });
  if (!namePattern.test(topic)) throw new ServiceError('bad_name', { field: 'topic', actual: topic });
  if (topic.startsWith(reservedPrefix)) throw new ServiceError('reserved_name', { field: 'The topic', actual: topic });
  return topic;
}

/** Parses the first block of a listener: as served, and as a number. @throws ServiceError first_event */
function readFirstEvent(
  given: JsonText | undefined,
  { listenersBegin }: Pick<ProfileRules, 'listenersBegin'>,
): { readonly shown: string; readonly first: number | 'newest' } {
  const value = given === undefined ? listenersBegin : valueOf(given);
  const shown = typeof value === 'number' ? String(value) : value === '' ? listenersBegin : value;
  if (shown === 'newest') return { shown, first: shown };
  if (shown === 'oldest') return { shown, first: 0 };
  if (typeof shown === 'string' && /^\d{1,15}$/.test(shown)) return { shown, first: Number(shown) };
  throw new ServiceError('first_event', { actual: given ?? '' });
}

import { maxIdempotencyKeyCharacters, networkLimits } from '../../domain/limits.js';
import { checkReserved, resolveTag, resolveTopics, type SealedMessage, sealMessage } from '../../domain/message.js';
import { topicPin } from '../../domain/pin.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, Unit } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Random } from '../../ports/random.js';
import type { NewRow } from '../../ports/tables.js';
import { ServiceError } from '../../wire/error.js';
import type { BroadcastRequest, Message } from '../../wire/message.js';
import { equal, oldestFirst } from '../../wire/query.js';
import { uuidPattern } from '../../wire/scalar.js';
import type { Bus } from '../bus.js';
import { messageRecord } from '../records.js';
import { newMessage } from '../rows.js';
import { type OwnIdentity, resolveAuthor } from './author.js';
import { type ResolvedData, resolveData } from './data.js';

export interface AcceptParts {
  readonly database: Database;
  readonly own: OwnIdentity;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
}

/** Takes in a request; resolves when the message is on disk, with the message as it is served. */
export type AcceptMessage = (namespace: string, request: BroadcastRequest) => Promise<Message>;

/**
 * The one sender (architecture, 16.3): request → sealed message rows. All checks come before anything is stored; a
 * refused request leaves nothing and does not use up its idempotency key (S §1.6, §3.3).
 *
 * The function it makes throws ServiceError for what the caller can mend: no_data, bad_type, bad_txtype,
 * group_on_broadcast, bad names, data that cannot be resolved, too_large_to_broadcast, author_refused,
 * idempotency_key_used.
 */
export function createAcceptMessage(parts: AcceptParts): AcceptMessage {
  const { database, own, bus, clock, random, metrics, failpoint } = parts;
  return async (namespace, request) => {
    checkRequest(request);
    const now = clock.now();
    const data = await resolveData(database, random, { namespace, now, items: request.data ?? [] });
    const message = seal(own, { namespace, request, data, id: random.uuid(), now });
    const row = toRow(message, data, request.idempotencyKey);
    await store(database, row, data);
    await failpoint.reach('api.before-reply');
    bus.ring('messages');
    metrics.count('ff_broadcast_submitted_total');
    return messageRecord({ ...row, sequence: 0 });
  };
}

function checkRequest({ header, group, data, idempotencyKey }: BroadcastRequest): void {
  if (group !== undefined || header?.group !== undefined) throw new ServiceError('group_on_broadcast');
  if (data === undefined || data.length === 0) throw new ServiceError('no_data');
  if (header?.type !== undefined && header.type !== 'broadcast') {
    throw new ServiceError('bad_type', { expected: 'broadcast', actual: header.type });
  }
  if (header?.txtype !== undefined && header.txtype !== 'batch_pin') {
    throw new ServiceError('bad_txtype', { actual: header.txtype });
  }
  if (header?.cid !== undefined && !uuidPattern.test(header.cid.toLowerCase())) {
    throw new ServiceError('not_uuid', { field: 'header.cid', actual: header.cid });
  }
  if (idempotencyKey !== undefined && idempotencyKey.length > maxIdempotencyKeyCharacters) {
    const [field, max, unit] = ['idempotencyKey', maxIdempotencyKeyCharacters, 'characters'];
    throw new ServiceError('too_long', { field, max, unit, actual: idempotencyKey.length });
  }
}

function seal(
  own: OwnIdentity,
  parts: { namespace: string; request: BroadcastRequest; data: ResolvedData; id: string; now: string },
): SealedMessage {
  const { namespace, request, data, id, now } = parts;
  const header = request.header ?? {};
  const topics = resolveTopics(header.topics, header.topic);
  const tag = resolveTag(header.tag);
  checkReserved(namespace, topics, tag);
  return sealMessage(
    {
      id,
      ...(header.cid !== undefined && { cid: header.cid.toLowerCase() }),
      type: 'broadcast',
      txtype: 'batch_pin',
      ...resolveAuthor(own, header),
      created: now,
      namespace,
      topics: [...topics],
      ...(tag !== undefined && { tag }),
    },
    data.references,
  );
}

function toRow(message: SealedMessage, data: ResolvedData, idempotencyKey: string | undefined): NewRow<'messages'> {
  const row = newMessage(message, {
    items: data.items,
    state: 'ready',
    pins: message.header.topics.map(topicPin),
    idempotencyKey,
  });
  const { sizeBytes } = row;
  if (sizeBytes > networkLimits.maxBatchDataBytes) {
    throw new ServiceError('too_large_to_broadcast', { max: networkLimits.maxBatchDataBytes, actual: sizeBytes });
  }
  return row;
}

async function store(database: Database, row: NewRow<'messages'>, data: ResolvedData): Promise<void> {
  await database.transaction(async (unit) => {
    // Units run one after the other, so of requests with one key that come at once all but the first find it here.
    if (row.idempotencyKey !== null) await refuseUsedKey(unit, row.namespace, row.idempotencyKey);
    await unit.insert('data', data.created);
    await unit.insert('messages', [row]);
  });
}

async function refuseUsedKey(unit: Unit, namespace: string, key: string): Promise<void> {
  const where = [equal('idempotencyKey', key)];
  const [first] = await unit.find('messages', { namespace, where, sort: oldestFirst, limit: 1 });
  if (first !== undefined) throw new ServiceError('idempotency_key_used', { key, id: first.id });
}

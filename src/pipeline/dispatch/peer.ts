import { assert } from '../../domain/invariant.js';
import type { DataExchange, Peer, PeerAnswer } from '../../ports/data-exchange.js';
import type { Database } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { GroupRow } from '../../ports/tables/messaging-tables.js';
import type { OperationRow } from '../../ports/tables/tables.js';
import { BatchEnvelope, envelopeVersion, MessageEnvelope } from '../../wire/messages/envelope.js';
import { write } from '../../wire/json/json.js';
import type { RunOperation, Settlement } from '../operations/attempt.js';
import { exactItems, exactMessages, referenceKey } from '../state/messages/exact.js';
import { headerOf } from '../records/records.js';
import type { Registry } from '../state/identities/registry.js';
import { payloadData } from '../state/data/data-row.js';
import { callPeer, findPeer } from './call-peer.js';
import { type FailureParts, recordMessageFailure } from './failure.js';

export interface PeerParts extends FailureParts {
  readonly database: Database;
  readonly dataExchange: DataExchange;
  readonly registry: Registry;
  readonly failpoint: Failpoint;
}

/**
 * Sends an envelope to the node of a member: a private batch with its exact payload, or an unpinned message
 * (docs/protocol.md §11.2). It is built at each attempt from rows that never change.
 */
export function createSendEnvelope(parts: PeerParts): RunOperation {
  const { database, dataExchange, registry, failpoint } = parts;
  return async (operation, signal) => {
    const failed: Settlement['write'] = (unit) => recordMessageFailure(unit, operation, parts);
    const [envelope, peer] = await Promise.all([
      operation.batchHash === '' ? messageEnvelope(database, registry, operation) : batchEnvelope(database, operation),
      findPeer(database, operation),
    ]);
    if (envelope === undefined) return { status: 'unreachable', error: 'The registry does not name this node yet.' };
    if (envelope === noData) return { status: 'failed', error: 'Data of its message was deleted.', write: failed };
    await failpoint.reach('outbox.before-send');
    const send = async (known: Peer): Promise<PeerAnswer> => {
      const answer = await dataExchange.send(known, envelope, signal);
      await failpoint.reach('outbox.after-ack');
      return answer;
    };
    return callPeer(peer, send, failed);
  };
}

async function batchEnvelope(database: Database, operation: OperationRow): Promise<string> {
  const [payload, group] = await Promise.all([
    database.first('payloads', { hash: operation.batchHash }),
    findGroup(database, operation),
  ]);
  assert(payload !== undefined, 'a sealed batch has its payload');
  return write(BatchEnvelope, { version: envelopeVersion, group, payload: payload.text });
}

const noData = Symbol('data of the message was deleted');

/**
 * Returns undefined while the registry does not name the sender, because a rebuild reads this node's own registration
 * again. Data of a message that all peers refused may be deleted before its sending is retried.
 */
async function messageEnvelope(
  database: Database,
  registry: Registry,
  operation: OperationRow,
): Promise<string | typeof noData | undefined> {
  const { message: id, hash } = operation.input;
  assert(typeof id === 'string' && typeof hash === 'string', 'an envelope has a batch or a message');
  const { namespace } = operation;
  const [messages, group] = await Promise.all([
    exactMessages(database, [{ id, hash }], { namespace }),
    findGroup(database, operation),
  ]);
  const message = messages.get(referenceKey({ id, hash }));
  assert(message !== undefined, 'a message that is to be sent is here');
  const [node, items] = await Promise.all([
    registry.nodeOf(database, message.author),
    exactItems(database, message.data, { namespace }),
  ]);
  if (node === undefined) return undefined;
  const data = message.data.flatMap((reference) => items.get(referenceKey(reference)) ?? []);
  if (data.length < message.data.length) return noData;
  const envelope: MessageEnvelope = {
    version: envelopeVersion,
    node: node.id,
    group,
    tx: { type: 'none', id: operation.tx },
    message: { header: headerOf(message), hash, data: [...message.data] },
    data: data.map(payloadData),
  };
  return write(MessageEnvelope, envelope);
}

async function findGroup(database: Database, { namespace, input }: OperationRow): Promise<MessageEnvelope['group']> {
  assert(typeof input.group === 'string', 'an envelope names its group');
  const group = await database.first('groups', { namespace, hash: input.group });
  assert(group !== undefined, 'a group is stored with the first message to it');
  return toEnvelopeGroup(group);
}

function toEnvelopeGroup({ namespace, name, members }: GroupRow): MessageEnvelope['group'] {
  return { namespace, name, members: [...members] };
}

import type { Database } from '../../../ports/database.js';
import type { Log } from '../../../ports/log.js';
import type { Metrics } from '../../../ports/metrics.js';
import type { EventRow, MessageRow } from '../../../ports/tables/tables.js';
import { noReplyValue } from '../../../domain/events/webhook-reply.js';
import { isServiceError } from '../../../wire/errors/error.js';
import type { TxType } from '../../../wire/messages/message.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { OwnIdentity } from '../../common/identities/own-identity.js';
import type { Sender } from '../../common/messages/sender.js';

export interface ReplyMessage {
  readonly subscription: string;
  readonly event: EventRow;
  readonly request: MessageRow;
  readonly tag: string | undefined;
  readonly txtype: TxType;
  readonly value: JsonText;
}

export interface ReplyParts {
  readonly database: Database;
  readonly sender: Pick<Sender, 'acceptMessage' | 'acceptPrivate'>;
  readonly own: OwnIdentity;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Sends the reply to a message, on its topics with its id as `cid`, to its group or as a broadcast (docs/api.md §16).
 * Sends at most once for each subscription and event. A reply that can never be sent is logged and counted.
 */
export async function sendReply(parts: ReplyParts, reply: ReplyMessage): Promise<void> {
  const { metrics, log } = parts;
  try {
    await send(parts, reply);
    metrics.count('parley_webhook_replies_total');
  } catch (error) {
    if (!isServiceError(error)) throw error;
    switch (error.reason) {
      case 'idempotency_key_used':
        return;
      case 'too_large_to_send':
      case 'too_large_to_broadcast':
        await sendReply(parts, {
          ...reply,
          value: noReplyValue('The reply of the webhook is too large for a message.'),
        });
        return;
      default:
        metrics.count('parley_webhook_replies_refused_total');
        log.error('The reply of a webhook cannot be sent', { subscription: reply.subscription, error: error.message });
    }
  }
}

async function send(parts: ReplyParts, { subscription, event, request, tag, txtype, value }: ReplyMessage) {
  const { sender } = parts;
  const { namespace, group } = request;
  const idempotencyKey = `webhook:${subscription}:${event.id}`;
  const header = { cid: request.id, topics: [...request.topics], ...(tag !== undefined && { tag }) };
  const data = [{ value }];
  if (group === null) {
    // Broadcasts are always pinned.
    await sender.acceptMessage(namespace, { header, data, idempotencyKey });
    return;
  }
  const author = await authorIn(parts, namespace, group);
  await sender.acceptPrivate(namespace, { header: { ...header, txtype, group, author }, data, idempotencyKey });
}

/** Returns the group's member on this node: the organisation, or one of its custom identities. */
async function authorIn({ database, own }: ReplyParts, namespace: string, hash: string): Promise<string> {
  const group = await database.first('groups', { namespace, hash });
  const members = (group?.members ?? []).map(({ identity }) => identity);
  if (members.includes(own.did)) return own.did;
  const identity = await database.first('identities', { did: members, parent: own.did, type: 'custom' });
  return identity?.did ?? own.did;
}

import type { Database } from '../../../ports/database.js';
import type { Log } from '../../../ports/log.js';
import type { Metrics } from '../../../ports/metrics.js';
import type { EventRow, MessageRow } from '../../../ports/tables/tables.js';
import { noReplyValue } from '../../../domain/events/webhook-reply.js';
import { networkLimits } from '../../../domain/network/limits.js';
import { isServiceError, ServiceError } from '../../../wire/errors/error.js';
import type { TxType } from '../../../wire/messages/message.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import type { Sender } from '../../state/messages/sender.js';

/**
 * Whether the credential that made a subscription may now sign a message in a namespace, with `key` of the wallet, by
 * default with the organisation's key. Null: the credential is unknown.
 */
export type MaySign = (
  maker: string | null,
  use: { readonly namespace: string; readonly key: string | undefined },
) => boolean;

export interface ReplyMessage {
  readonly subscription: string;
  /** The name of the credential that made the subscription. */
  readonly maker: string | null;
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
  readonly maySign: MaySign;
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

/** @throws ServiceError author_refused, and those of the sender */
async function send(parts: ReplyParts, reply: ReplyMessage): Promise<void> {
  const { sender } = parts;
  const { subscription, event, request, tag, txtype, value } = reply;
  const { namespace, group } = request;
  const idempotencyKey = `webhook:${subscription}:${event.id}`;
  const header = { cid: request.id, topics: [...request.topics], ...(tag !== undefined && { tag }) };
  const data = [{ value }];
  if (group === null) {
    requireRight(parts, reply, { did: parts.own.did, key: undefined });
    // Broadcasts are always pinned.
    await sender.acceptMessage(namespace, { header, data, idempotencyKey });
    return;
  }
  const author = await authorIn(parts, reply, group);
  await sender.acceptPrivate(namespace, { header: { ...header, txtype, group, author }, data, idempotencyKey });
}

interface Signer {
  readonly did: string;
  /** Undefined: the organisation's key. */
  readonly key: string | undefined;
}

/**
 * Returns the group's member on this node: the organisation, or the first of its custom identities that the maker of
 * the subscription may sign as.
 *
 * @throws ServiceError author_refused
 */
async function authorIn(parts: ReplyParts, reply: ReplyMessage, hash: string): Promise<string> {
  const { database, own } = parts;
  const group = await database.first('groups', { namespace: reply.request.namespace, hash });
  const members = (group?.members ?? []).map(({ identity }) => identity);
  const custom = members.includes(own.did) ? [] : await customSigners(parts, members);
  const [first = { did: own.did, key: undefined }] = custom;
  const signer = custom.find((each) => isAllowed(parts, reply, each)) ?? first;
  requireRight(parts, reply, signer);
  return signer.did;
}

async function customSigners({ database, own }: ReplyParts, members: readonly string[]): Promise<readonly Signer[]> {
  const limit = networkLimits.maxGroupMembers;
  const identities = await database.rows('identities', { did: members, parent: own.did, type: 'custom' }, { limit });
  const keys = await database.rows('keys', { identity: identities.map(({ did }) => did) }, { limit });
  return keys.map(({ identity, key }) => ({ did: identity, key }));
}

function isAllowed({ maySign }: ReplyParts, { maker, request: { namespace } }: ReplyMessage, { key }: Signer): boolean {
  return maySign(maker, { namespace, key });
}

/** @throws ServiceError author_refused */
function requireRight(parts: ReplyParts, reply: ReplyMessage, signer: Signer): void {
  if (isAllowed(parts, reply, signer)) return;
  const { maker, request } = reply;
  const problem =
    maker === null
      ? `it is not known which credential made the subscription, so its replies are those of ${parts.own.did} alone`
      : `the credential "${maker}", which made the subscription, has no right to that`;
  const asked = `FF00170 as ${signer.did} in the namespace ${request.namespace}: ${problem}.`;
  throw new ServiceError('author_refused', {
    inner: `${asked} Replace it (PUT) with a credential that has the right.`,
  });
}

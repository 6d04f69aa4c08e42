import { noReplyValue, replyValue } from '../../../domain/events/webhook-reply.js';
import { callFor, replyTxtype, type WebhookContent } from '../../../domain/events/webhook-request.js';
import type { WebhookSettings } from '../../../domain/events/webhook.js';
import type { Failpoint } from '../../../ports/failpoint.js';
import type { Handover } from '../../../ports/subscriber.js';
import type { EventRow, MessageRow } from '../../../ports/tables/tables.js';
import { type Webhook, WebhookError } from '../../../ports/webhook.js';
import type { JsonText } from '../../../wire/scalar.js';
import { exactItems, referenceKey } from '../../state/messages/exact.js';
import { hasValue } from '../../state/data/data-row.js';
import type { Integrity } from '../../records/integrity.js';
import { readMessages } from '../../records/referred.js';
import { type ReplyParts, sendReply } from './reply.js';

export interface AttemptParts extends ReplyParts {
  readonly webhook: Webhook;
  readonly failpoint: Failpoint;
  readonly integrity: Integrity;
}

export interface WebhookWork {
  readonly subscription: string;
  readonly maker: string | null;
  readonly settings: WebhookSettings;
  readonly contents: readonly WebhookContent[];
  readonly replyTo: ReplyTarget | undefined;
}

/** A webhook: its subscription, the name of the credential that made the subscription, and its parsed options. */
export type WebhookOf = Pick<WebhookWork, 'subscription' | 'maker' | 'settings'>;

interface ReplyTarget {
  readonly event: EventRow;
  readonly message: MessageRow;
}

export type CallOutcome = { readonly status: 'done' } | { readonly status: 'failed'; readonly error: string };

/**
 * Prepares the call for a delivery. Returns undefined if the webhook sends replies and the message is a reply itself:
 * that is only acknowledged, because two webhooks would otherwise reply to each other forever (docs/api.md §16).
 */
export async function prepareWork(
  parts: Pick<AttemptParts, 'database' | 'integrity'>,
  { settings, ...of }: WebhookOf,
  handover: Handover,
): Promise<WebhookWork | undefined> {
  const { events } = handover;
  const needsValues = settings.withData || Object.keys(settings.input).length > 0;
  const needsMessages = needsValues || settings.reply !== undefined;
  const messages = needsMessages ? await readMessages(parts.database, events) : [];
  const target = settings.reply === undefined ? undefined : firstOf(events, messages);
  if (target !== undefined && target.message.cid !== null) return undefined;
  const texts = handover.texts();
  const values = needsValues ? await valuesOf(parts, events, messages) : [];
  const contents = events.map(({ id }, index) => ({ id, event: texts[index] ?? '', values: values[index] ?? [] }));
  return { ...of, settings, contents, replyTo: target !== undefined && isRequest(target) ? target : undefined };
}

/**
 * Makes one call. It succeeds with a 2xx, or, if a reply is to be sent, with any response, once the reply is on disk.
 *
 * @throws the reason of the signal; errors of the database
 */
export async function attemptCall(parts: AttemptParts, work: WebhookWork, signal: AbortSignal): Promise<CallOutcome> {
  const { settings, contents, replyTo } = work;
  try {
    const call = callFor(settings, contents);
    const wantsBody = replyTo !== undefined;
    const reply = await parts.webhook.call({ ...call, wantsBody, timeouts: settings.timeouts, signal });
    await parts.failpoint.reach('webhook.after-response');
    if (replyTo !== undefined) await replyWith(parts, work, replyValue(reply, settings.isJsonReply));
    else if (reply.status < 200 || reply.status > 299) return failed(`The webhook answered ${reply.status}.`);
    return { status: 'done' };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof WebhookError)) throw error;
    // A retry would bring the same response.
    if (error.reason !== 'too_large') return failed(error.message);
    await replyWithFailure(parts, work, error.message);
    return { status: 'done' };
  }
}

/** Sends a reply that reports the failure of the calls. */
export async function replyWithFailure(parts: AttemptParts, work: WebhookWork, error: string): Promise<void> {
  await replyWith(parts, work, noReplyValue(error));
}

function failed(error: string): CallOutcome {
  return { status: 'failed', error };
}

async function replyWith(parts: AttemptParts, work: WebhookWork, value: JsonText): Promise<void> {
  const { subscription, maker, settings, contents, replyTo } = work;
  const [content] = contents;
  if (replyTo === undefined || content === undefined || settings.reply === undefined) return;
  const { event, message: request } = replyTo;
  const txtype = replyTxtype(settings, content) ?? settings.reply.txtype;
  await sendReply(parts, { subscription, maker, event, request, tag: settings.reply.tag, txtype, value });
}

function firstOf(
  [event]: readonly EventRow[],
  [message]: readonly (MessageRow | undefined)[],
): ReplyTarget | undefined {
  return event === undefined || message === undefined ? undefined : { event, message };
}

/** Whether a message expects a reply; rejected messages and definitions do not. */
function isRequest({ event, message }: ReplyTarget): boolean {
  return event.type === 'message_confirmed' && message.type !== 'definition';
}

/**
 * Returns the values of each event's message, in order; files without value and deleted or damaged items are left out.
 */
async function valuesOf(
  { database, integrity }: Pick<AttemptParts, 'database' | 'integrity'>,
  events: readonly EventRow[],
  messages: readonly (MessageRow | undefined)[],
): Promise<readonly (readonly JsonText[])[]> {
  const [first] = events;
  if (first === undefined) return [];
  const references = messages.flatMap((message) => message?.data ?? []);
  const rows = await exactItems(database, references, { namespace: first.namespace });
  return messages.map((message) =>
    (message?.data ?? []).flatMap((reference) => {
      const item = rows.get(referenceKey(reference));
      return item !== undefined && hasValue(item) && integrity.isItemIntact(item) ? [item.value] : [];
    }),
  );
}

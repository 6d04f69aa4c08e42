import type { subscriptionFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import type { Answer, Client } from '../../client/client.js';
import { ClientError } from '../../client/errors.js';
import { textOf } from '../../wire/json/json.js';
import type { Subscription, SubscriptionRequest } from '../../wire/events/subscription.js';
import { eventFilters, nestedFilters, requireEventType } from '../events/filters.js';
import { CliError } from '../errors/exit.js';
import { openTarget, type CommandContext } from '../requests/target.js';
import { safe, shortId } from '../terminal/text.js';

export type SubscriptionFlags = FlagsOf<typeof subscriptionFlags> & {
  readonly name: string;
};

export interface Created {
  readonly name: string;
  readonly id: string;
  /** As served. */
  readonly json: string;
  /** A sentence, escaped. */
  readonly text: string;
}

/** `stack subs create`. @throws CliError USAGE, REJECTED if the name is used; ClientError, UnreachableError */
export async function createSubscription(flags: SubscriptionFlags, context: CommandContext): Promise<Created> {
  const body = requestOf(flags);
  const { party } = await openTarget(flags, context);
  const { text, value } = flags.replace
    ? await party.client.replaceSubscription({ body })
    : await createNew(party.client, body);
  const { out } = context.output;
  const { id, name, transport } = value;
  const to = transport === 'webhooks' ? ` · to ${flags.endpoint ?? ''}` : '';
  const mark = out.isTerminal ? `${out.paint('green', '✓')} ` : '';
  const said = `subscription ${name} ${out.isTerminal ? shortId(id) : id} · at ${party.name}${to}`;
  return { name, id, json: text, text: mark + safe(said) };
}

async function createNew(client: Client, body: SubscriptionRequest): Promise<Answer<Subscription>> {
  try {
    return await client.createSubscription({ body });
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== nameIsUsed) throw error;
    throw new CliError('REJECTED', `The subscription ${body.name} already exists.`, {
      hint: 'To change its filters and options, add --replace; it keeps its position.',
      details: { status: error.status, nodeCode: error.code, body: error.body },
      cause: error,
    });
  }
}

const nameIsUsed = 'FF10193';

/** @throws CliError USAGE */
function requestOf(flags: SubscriptionFlags): SubscriptionRequest {
  const { endpoint, events: type, topics: topic, tag, author, group } = flags;
  requireEventType(type, '--events');
  const transport = flags.transport ?? (endpoint === undefined ? 'websockets' : 'webhooks');
  if (transport === 'webhooks' && endpoint === undefined) {
    throw new CliError('USAGE', 'A webhook needs --endpoint, the URL that it posts to.');
  }
  if (transport === 'websockets' && endpoint !== undefined) {
    throw new CliError('USAGE', '--endpoint is only for webhooks.');
  }
  if (transport === 'websockets' && flags['with-data']) {
    throw new CliError('USAGE', '--with-data is only for webhooks; for other clients, "events tail" has it.');
  }
  const readAhead = flags['read-ahead'];
  const options = {
    firstEvent: firstEvent(flags.first),
    ...(readAhead === undefined ? {} : { readAhead }),
    ...(endpoint === undefined ? {} : { url: endpoint }),
    ...(flags['with-data'] ? { withData: true } : {}),
  };
  return {
    transport,
    name: flags.name,
    filter: textOf(nestedFilters(eventFilters({ type, tag, topic, author, group }))),
    options: textOf(options),
  };
}

function firstEvent(first: string): string | number {
  if (first === 'oldest' || first === 'newest') return first;
  if (/^\d{1,15}$/.test(first)) return Number(first);
  throw new CliError('USAGE', `--first must be oldest, newest or a sequence number, not "${first}".`);
}

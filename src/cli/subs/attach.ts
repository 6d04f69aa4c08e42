import type { Client } from '../../client/client.js';
import { ClientError } from '../../client/errors.js';
import { textOf, valueOf } from '../../wire/json.js';
import type { JsonText } from '../../wire/scalar.js';
import type { Subscription } from '../../wire/subscription.js';
import { type EventFilters, nestedFilters } from '../events/filters.js';
import type { FindStart } from '../events/start.js';
import { CliError } from '../exit.js';
import { leavesOf } from '../leaves.js';
import { findSubscription, noSubscription } from './subs.js';
import type { PartyNode } from '../target.js';

export interface AttachWords {
  /** Name of the subscription; undefined for an ephemeral one, of which nothing is required. */
  readonly durable?: string | undefined;
  /** Make it where there is none. */
  readonly create: boolean;
  readonly since?: string | undefined;
}

export interface AttachContext {
  readonly filters: EventFilters;
  /** Where a subscription begins that is made. */
  readonly findStart: FindStart;
  /** The name that was typed. */
  readonly program: string;
}

/** Events ahead of acknowledgement, for a subscription that is made on the way: as for one that nobody has made. */
const readAhead = 50;

/**
 * Sees to it that there is a subscription to attach to, with the filters that were typed.
 *
 * @throws CliError NOT_FOUND when there is none and none is to be made, CONFLICT when it has other filters, USAGE when
 *   it is a webhook's; ClientError, UnreachableError
 */
export async function requireSubscription(
  { client, name: party }: PartyNode,
  { durable: name, create, since }: AttachWords,
  { filters, findStart, program }: AttachContext,
): Promise<void> {
  if (name === undefined) return;
  let found = (await findSubscription(client, name))?.value;
  if (found === undefined && create) {
    const firstEvent = since === undefined ? 'newest' : await findStart(client);
    found = await createOrFind(client, name, { filters, options: { firstEvent, readAhead } });
  }
  if (found === undefined) {
    const hint = `Make one: ${program} subs create ${name}. Or add --create, which makes it of the filters.`;
    throw noSubscription(name, party, hint);
  }
  checkUsable(found, filters, party, program);
}

/** Another process may be as fast; then the subscription is its. */
async function createOrFind(
  client: Client,
  name: string,
  { filters, options }: { readonly filters: EventFilters; readonly options: object },
): Promise<Subscription | undefined> {
  const body = { transport: 'websockets', name, filter: textOf(nestedFilters(filters)), options: textOf(options) };
  try {
    return (await client.createSubscription({ body })).value;
  } catch (error) {
    if (error instanceof ClientError && error.status === 409) return (await findSubscription(client, name))?.value;
    throw error;
  }
}

function checkUsable(
  { name, transport, filter }: Subscription,
  filters: EventFilters,
  party: string,
  program: string,
): void {
  if (transport !== 'websockets') {
    throw new CliError('USAGE', `The subscription ${name} of ${party} delivers to a webhook: nobody can attach to it.`);
  }
  if (Object.keys(filters).length === 0 || flatText(filter) === textOf(sorted(Object.entries(filters)))) return;
  throw new CliError('CONFLICT', `There is a subscription ${name} at ${party} already, with other filters: ${filter}`, {
    hint: `Leave out the filters, or replace it: ${program} subs create ${name} --replace`,
  });
}

/** A filter as served, nested, in the form of those that are typed. */
function flatText(filter: JsonText): string {
  return textOf(sorted(leavesOf(valueOf(filter))));
}

function sorted(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

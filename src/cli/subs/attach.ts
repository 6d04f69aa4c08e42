import type { FlagsOf } from '../flag-types.js';
import type { followFlags } from '../flags.js';
import type { Client } from '../../client/client.js';
import { ClientError } from '../../client/errors.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import type { JsonText } from '../../wire/scalar.js';
import type { Subscription } from '../../wire/events/subscription.js';
import { type EventFilters, nestedFilters } from '../events/filters.js';
import type { FindStart } from '../events/start.js';
import { CliError } from '../errors/exit.js';
import { leavesOf } from '../requests/leaves.js';
import { findSubscription, noSubscription } from './subs.js';
import type { PartyNode } from '../requests/target.js';

/** Without `durable` nothing is checked, since the subscription is ephemeral. */
type AttachFlags = Pick<FlagsOf<typeof followFlags>, 'durable' | 'create' | 'since'>;

export interface AttachContext {
  readonly filters: EventFilters;
  /** Determines the start of a new subscription. */
  readonly findStart: FindStart;
  /** The typed name of the program. */
  readonly program: string;
  /** Whether the node was away when the command began. */
  readonly isLate: boolean;
}

/** The read-ahead of a created subscription, as for an ephemeral one. */
const readAhead = 50;

/**
 * Checks that the subscription exists and has the given filters, or creates it.
 *
 * @throws CliError NOT_FOUND if it is missing and must not be created, CONFLICT if it has other filters, USAGE for a
 * webhook; ClientError, UnreachableError
 */
export async function requireSubscription(
  { client, name: party }: PartyNode,
  { durable: name, create, since }: AttachFlags,
  { filters, findStart, program, isLate }: AttachContext,
): Promise<void> {
  if (name === undefined) return;
  let found = (await findSubscription(client, name))?.value;
  if (found === undefined && create) {
    const firstEvent = since === undefined && !isLate ? 'newest' : (await findStart(client, isLate)).start;
    found = await createOrFind(client, name, { filters, options: { firstEvent, readAhead } });
  }
  if (found === undefined) {
    const hint = `Create it: ${program} subs create ${name}. Or add --create to create it with the filters.`;
    throw noSubscription(name, party, hint);
  }
  checkUsable(found, filters, party, program);
}

/** Creates a subscription, or finds the one that another process has just created. */
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
    throw new CliError(
      'USAGE',
      `The subscription ${name} of ${party} delivers to a webhook; clients cannot attach to it.`,
    );
  }
  if (Object.keys(filters).length === 0 || flatText(filter) === textOf(sorted(Object.entries(filters)))) return;
  throw new CliError('CONFLICT', `The subscription ${name} of ${party} has other filters: ${filter}`, {
    hint: `Omit the filters, or replace the subscription: ${program} subs create ${name} --replace`,
  });
}

/** Flattens a served, nested filter to the form of typed ones. */
function flatText(filter: JsonText): string {
  return textOf(sorted(leavesOf(valueOf(filter))));
}

function sorted(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

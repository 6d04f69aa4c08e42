import type { Answer, Client } from '../../client/client.js';
import { type Entry, readPage } from '../../client/page.js';
import type { Subscription } from '../../wire/events/subscription.js';
import { type ConfirmFlags, confirm } from '../terminal/prompt.js';
import { CliError } from '../errors/exit.js';
import { resolveSubscriptionId } from '../requests/ids.js';
import { openTarget, type PartyNode, type CommandContext, type TargetFlags } from '../requests/target.js';

/** The subscription of this name. @throws ClientError, UnreachableError */
export async function findSubscription(client: Client, name: string): Promise<Entry<Subscription> | undefined> {
  const { entries } = await readPage(client, 'listSubscriptions', [['name', `=${name}`]]);
  return entries[0];
}

/**
 * Finds a subscription by name, id, or the first four or more characters of an id, with its status.
 *
 * @throws CliError NOT_FOUND, USAGE if it is ambiguous; ClientError, UnreachableError
 */
export async function openSubscription(
  { client, name: party }: PartyNode,
  typed: string,
  program: string,
): Promise<Answer<Subscription>> {
  const named = await findSubscription(client, typed);
  const isId = /^[0-9a-f-]{4,36}$/i.test(typed);
  if (named === undefined && !isId) throw noSubscription(typed, party, `List them: ${program} subs list`);
  const subid = named?.value.id ?? (await resolveSubscriptionId(client, typed));
  return client.getSubscription({ path: { subid }, query: { fetchstatus: true } });
}

/** The failure for an unknown subscription of a party. */
export function noSubscription(name: string, party: string, hint: string): CliError {
  return new CliError('NOT_FOUND', `${party} has no subscription "${name}".`, { hint });
}

/**
 * `stack subs delete`; returns the deleted one, or undefined if the user declines.
 *
 * @throws CliError USAGE, NOT_FOUND; ClientError
 */
export async function deleteSubscription(
  flags: TargetFlags & ConfirmFlags & { readonly name: string },
  context: CommandContext,
): Promise<{ readonly subscription: Subscription; readonly party: string } | undefined> {
  const { party } = await openTarget(flags, context);
  const { value: subscription } = await openSubscription(party, flags.name, context.program);
  const consequence = 'will be deleted with its position. Unacknowledged events will not be delivered.';
  const text = `The subscription ${subscription.name} of ${party.name} ${consequence}`;
  if (!(await confirm({ text }, flags, context))) return undefined;
  await party.client.deleteSubscription({ path: { subid: subscription.id } });
  return { subscription, party: party.name };
}

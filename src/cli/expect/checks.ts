import { eventTypes } from '../../wire/events/event.js';
import { readPage } from '../../client/page.js';
import { nearestHint } from '../../wire/lists/query.js';
import { CliError } from '../errors/exit.js';
import { identityWord, keysOfWord, readOwners } from '../requests/owners.js';
import type { PartyNode, Target } from '../requests/target.js';
import { readBalances } from '../tokens/holdings.js';
import { safe, shortId } from '../terminal/text.js';
import { meets } from './comparison.js';
import { checkData } from './data.js';
import { type Check, checkEach, createEventReader, findMessages, partiesOf } from './look-up.js';
import { checkOrder } from './order.js';
import type { Assertion } from './parse.js';

/** The network and the files that assertions are checked against. */
export interface CheckContext {
  readonly target: Target;
  /** The directory to which paths in assertions are relative. */
  readonly directory: string;
  /** The sequence after which events are counted, by party; default: all events are counted. */
  readonly eventsAfter?: ReadonlyMap<string, number>;
}

/**
 * Prepares the check of an assertion: names and files are resolved once.
 *
 * @throws CliError NOT_FOUND for an unknown party or owner, USAGE for a file that cannot be read; ClientError
 */
export async function createCheck(parsed: Assertion, context: CheckContext): Promise<Check> {
  const assertion = withAuthor(parsed, context.target);
  const parties = partiesOf(assertion.parties, context.target);
  switch (assertion.kind) {
    case 'message':
      return () => checkEach(parties, (party) => messageAt(party, assertion));
    case 'events':
      return eventsCheck(assertion, parties, context.eventsAfter);
    case 'balance':
      return balanceCheck(assertion, parties, context.target);
    case 'order':
      return checkOrder(assertion.topic, parties);
    case 'data':
      return checkData(assertion, parties, context.directory);
  }
}

/** Replaces the name of a party as author by its organisation. */
function withAuthor(assertion: Assertion, target: Target): Assertion {
  if (!('selectors' in assertion) || assertion.selectors.author === undefined) return assertion;
  const author = identityWord(target, assertion.selectors.author);
  return { ...assertion, selectors: { ...assertion.selectors, author } };
}

type AssertionOf<Kind extends Assertion['kind']> = Extract<Assertion, { readonly kind: Kind }>;

/** Maximum number of messages that a failure names. */
const maxNamed = 3;

async function messageAt(party: PartyNode, { selectors, state }: AssertionOf<'message'>): Promise<string | undefined> {
  const found = await findMessages(party, selectors);
  if (found.length === 0) return state === 'absent' ? undefined : 'no such message';
  const others = found.filter((message) => !isIn(message.state, state));
  if (others.length === 0) return undefined;
  const named = others.slice(0, maxNamed).map(({ header, state: is, rejectReason }) => {
    const reason = rejectReason === undefined ? '' : ` (${safe(rejectReason)})`;
    return `${shortId(header.id)} is ${is}${reason}`;
  });
  const more = others.length > maxNamed ? ` and ${others.length - maxNamed} more` : '';
  return `${named.join(', ')}${more}`;
}

function isIn(state: string, wanted: AssertionOf<'message'>['state']): boolean {
  return wanted === 'pending' ? state === 'staged' || state === 'ready' : state === wanted;
}

function eventsCheck(
  { type, selectors, comparison, place }: AssertionOf<'events'>,
  parties: readonly PartyNode[],
  after: CheckContext['eventsAfter'],
): Check {
  if (!eventTypes.some((each) => each === type)) {
    throw new CliError('USAGE', `${place}: unknown type of event "${type}"${nearestHint(type, eventTypes)}`);
  }
  const { topic, ...others } = selectors;
  const isOfMessages = Object.keys(others).length > 0;
  const readers = new Map(
    parties.map((party) => {
      const parameters = [['type', type] as const, ...(topic === undefined ? [] : [['topic', topic] as const])];
      return [
        party,
        { reader: createEventReader(party, parameters, after?.get(party.name)), references: new Array<string>() },
      ];
    }),
  );
  return () =>
    checkEach(parties, async (party) => {
      const { reader, references = [] } = readers.get(party) ?? {};
      references.push(...((await reader?.next()) ?? []).map(({ reference }) => reference));
      const wanted = isOfMessages
        ? new Set((await findMessages(party, others)).map(({ header }) => header.id))
        : undefined;
      const count = references.filter((reference) => wanted?.has(reference) !== false).length;
      return meets(BigInt(count), comparison) ? undefined : String(count);
    });
}

async function balanceCheck(
  { pool, owner, comparison }: AssertionOf<'balance'>,
  parties: readonly PartyNode[],
  target: Target,
): Promise<Check> {
  const keys = keysOfWord(owner, await readOwners(target.party.client), target);
  return () =>
    checkEach(parties, async ({ client }) => {
      const { entries } = await readPage(client, 'listTokenPools', [['name', pool]]);
      const id = entries[0]?.value.id;
      if (id === undefined) return `no pool named ${pool}`;
      let sum = 0n;
      for await (const { value } of readBalances(client, [['pool', id], ...keys.map((key) => ['key', key] as const)])) {
        sum += BigInt(value.balance);
      }
      return meets(sum, comparison) ? undefined : `${safe(owner)} has ${sum}`;
    });
}

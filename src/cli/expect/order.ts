import type { RecordOf } from '../../client/page.js';
import type { PartyNode } from '../requests/target.js';
import { plural, safe, shortId } from '../terminal/text.js';
import { type Check, createEventReader, unlessAway } from './look-up.js';

type Event = RecordOf<'listEvents'>;

/** The ids of decided messages in the order of one party, by context: a topic, or a topic within a group. */
type Orders = ReadonlyMap<string, readonly string[]>;

const broadcast = '*';

/**
 * Checks that messages were decided in the same order everywhere: broadcasts at all parties, messages of a group at the
 * parties that have any of them. Only messages within one context have an order.
 */
export function checkOrder(topic: string | undefined, parties: readonly PartyNode[]): Check {
  const parameters = [
    ['type', 'message_confirmed'],
    ['type', 'message_rejected'],
    ...(topic === undefined ? [] : ([['topic', topic]] as const)),
  ] as const;
  const known = parties.map((party) => ({
    party,
    reader: createEventReader(party, parameters),
    orders: new Map<string, string[]>(),
  }));
  return async () => {
    const answers = await Promise.all(
      known.map(({ reader, orders }) =>
        unlessAway(async () => {
          for (const event of await reader.next()) addEvent(orders, event, topic);
          return orders;
        }),
      ),
    );
    const away = known.flatMap(({ party }, i) =>
      typeof answers[i] === 'string' ? [`${party.name}: ${answers[i]}`] : [],
    );
    if (away.length > 0) return away.join('; ');
    const found = known.map(({ party, orders }) => ({ name: party.name, orders }));
    if (found.every(({ orders }) => orders.size === 0)) {
      return topic === undefined ? 'no message was decided anywhere' : `no message on topic ${safe(topic)} was decided`;
    }
    return firstDifference(found);
  };
}

function addEvent(orders: Map<string, string[]>, { message, reference }: Event, wanted: string | undefined): void {
  const header = message?.header;
  // Unpinned messages have no order.
  if (header === undefined || header.txtype === 'unpinned' || header.txtype === 'none') return;
  for (const topic of header.topics.filter((each) => wanted === undefined || each === wanted)) {
    const context = `${header.group ?? broadcast}/${topic}`;
    const order = orders.get(context) ?? [];
    order.push(reference);
    orders.set(context, order);
  }
}

interface PartyOrders {
  readonly name: string;
  readonly orders: Orders;
}

function firstDifference(parties: readonly PartyOrders[]): string | undefined {
  const contexts = new Set(parties.flatMap(({ orders }) => [...orders.keys()]));
  for (const context of contexts) {
    const isBroadcast = context.startsWith(`${broadcast}/`);
    const [first, ...others] = parties.filter(({ orders }) => isBroadcast || orders.has(context));
    for (const other of others) {
      const text = first === undefined ? undefined : differenceOf(context, first, other);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

function differenceOf(context: string, one: PartyOrders, other: PartyOrders): string | undefined {
  const [mine = [], theirs = []] = [one.orders.get(context), other.orders.get(context)];
  const topic = safe(context.slice(context.indexOf('/') + 1));
  const at = mine.findIndex((id, i) => theirs[i] !== undefined && theirs[i] !== id);
  if (at >= 0) {
    const [here, there] = [shortId(mine[at] ?? ''), shortId(theirs[at] ?? '')];
    return `topic ${topic}, message ${at + 1}: ${here} at ${one.name}, ${there} at ${other.name}`;
  }
  if (mine.length === theirs.length) return undefined;
  const count = (ids: readonly string[]) => plural(ids.length, 'message');
  return `topic ${topic}: ${count(mine)} at ${one.name}, ${theirs.length} at ${other.name}`;
}

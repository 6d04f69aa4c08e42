import { itemsOf, rawMembersOf, textMember } from './check/raw-json.js';
import type { HttpClient } from './http.js';
import type { Endpoint } from './endpoint.js';

/** A durable subscription of a node. */
export interface DurableSubscription {
  readonly id: string;
  readonly name: string;
  /** The sequence of the last event before its start position. */
  readonly start: number;
}

export interface SubscriptionRequest {
  readonly name: string;
  readonly firstEvent: 'newest' | 'oldest' | number;
  readonly readAhead: number;
  /** `^` and a prefix of the event types, which is valid both as an expression and as a filter of lists. */
  readonly events: string;
}

/** An event in a list of the API. */
export interface ListedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly reference: string;
}

const base = '/api/v1/namespaces/default';
const pageSize = 1_000;

/** Creates a subscription, or returns the existing one with this name. @throws Error if the node refuses */
export async function subscribe(
  http: HttpClient,
  { url }: Endpoint,
  { name, firstEvent, readAhead, events }: SubscriptionRequest,
): Promise<DurableSubscription> {
  const options = { firstEvent: String(firstEvent), readAhead };
  const body = JSON.stringify({ name, transport: 'websockets', filter: { events }, options });
  const { status, bytes } = await http.exchange(`${url}${base}/subscriptions`, { method: 'PUT', body });
  const text = bytes.toString('utf8');
  if (status !== 200) throw new Error(`creating a subscription failed with status ${status}: ${text.slice(0, 300)}`);
  const id = textMember(rawMembersOf(text), 'id') ?? '';
  return { id, name, start: await readOffset(http, { url }, id) };
}

/** Reads the offset on the node's disk: up to it, every event is acknowledged or does not match. */
export async function readOffset(http: HttpClient, { url }: Pick<Endpoint, 'url'>, id: string): Promise<number> {
  const text = (await http.get(`${url}${base}/subscriptions/${id}?fetchstatus=true`)).toString('utf8');
  const status = rawMembersOf(rawMembersOf(text).get('status') ?? '{}');
  return Number(status.get('currentOffset'));
}

/** Deletes a subscription. @throws Error if the node refuses */
export async function unsubscribe(http: HttpClient, { url }: Endpoint, id: string): Promise<void> {
  const { status } = await http.exchange(`${url}${base}/subscriptions/${id}`, { method: 'DELETE' });
  if (status !== 204) throw new Error(`deleting a subscription failed with status ${status}`);
}

/** Lists the events of some types after a sequence, oldest first, at most `limit`. */
export async function listEvents(
  http: HttpClient,
  { url }: Endpoint,
  { events, after, limit = Infinity }: { readonly events: string; readonly after: number; readonly limit?: number },
): Promise<ListedEvent[]> {
  const listed: ListedEvent[] = [];
  for (let last = after; listed.length < limit;) {
    const where = `type=${encodeURIComponent(events)}&sequence=${encodeURIComponent(`>${last}`)}`;
    const size = Math.min(pageSize, limit - listed.length);
    const text = (await http.get(`${url}${base}/events?${where}&sort=sequence&limit=${size}`)).toString('utf8');
    const page = itemsOf(text).map(rawMembersOf);
    for (const event of page) {
      last = Number(event.get('sequence'));
      listed.push({
        id: textMember(event, 'id') ?? '',
        reference: textMember(event, 'reference') ?? '',
        sequence: last,
      });
    }
    if (page.length < size) break;
  }
  return listed;
}

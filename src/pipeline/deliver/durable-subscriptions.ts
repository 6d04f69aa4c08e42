import type { Database } from '../../ports/database.js';
import type { SubscriptionRow } from '../../ports/tables/messaging-tables.js';
import { createLoop, type Step } from '../loop.js';
import { createSharedRun } from '../shared-run.js';
import type { Activity, AttachRequest, Attachment } from './delivery.js';
import type { DispatcherTools } from './dispatcher.js';
import { createDurable, type Durable } from './durable.js';
import type { Positions } from './positions.js';

/** The durable subscriptions with current or past connections. */
export interface DurableSubscriptions {
  /** Attaches to a durable subscription, now or when one of that name is created. Resolves after the lookup. */
  attach(request: AttachRequest): Promise<Attachment>;
  activityOf(id: string): Activity | undefined;
  /** Stops all subscriptions; returns them once nothing is in flight. */
  stop(): Promise<readonly Durable[]>;
}

/** A subscription name within a namespace. */
interface Place {
  readonly namespace: string;
  readonly name: string;
  /** Connections made before a subscription of that name exists. */
  readonly waiting: Set<AttachRequest>;
  durable: Durable | undefined;
}

export interface DurablesParts extends DispatcherTools {
  readonly database: Database;
  readonly positions: Positions;
}

/** Creates the set, empty at first. It follows the rows of subscriptions as they are created, changed and deleted. */
export function createDurableSubscriptions({ database, positions, ...tools }: DurablesParts): DurableSubscriptions {
  const places = new Map<string, Place>();
  const endings = new Set<Promise<void>>();
  let unseen = new Set<Place>();

  /** Reads the rows of changed names, once for concurrent callers, so that results cannot overtake each other. */
  const look = createSharedRun(async () => {
    const seen = unseen;
    unseen = new Set();
    for (const [place, row] of await findRows(database, seen)) settle(place, row);
  });

  function settle(place: Place, row: SubscriptionRow | undefined): void {
    const { durable, waiting } = place;
    if (durable !== undefined && durable.id !== row?.id) {
      track(durable.end());
      place.durable = undefined;
    }
    if (row === undefined) {
      if (waiting.size === 0) places.delete(keyOf(place));
      return;
    }
    place.durable?.update(row);
    if (waiting.size > 0) place.durable ??= createDurable(tools, positions, row);
    for (const connection of waiting) place.durable?.join(connection);
    waiting.clear();
  }

  function track(ending: Promise<void>): void {
    const tracked = ending.finally(() => endings.delete(tracked));
    endings.add(tracked);
  }

  async function step(): Promise<Step> {
    for (const place of places.values()) unseen.add(place);
    if (unseen.size > 0) await look();
    return { hasWorked: false, rings: [] };
  }

  const loop = createLoop({ name: 'subscriptions', bell: 'subscriptions', step, ...tools });
  loop.start();
  return {
    async attach(request) {
      const connection = { ...request };
      const place = placeOf(places, request);
      place.waiting.add(connection);
      unseen.add(place);
      try {
        await look();
      } catch (error) {
        place.waiting.delete(connection);
        throw error;
      }
      return attachmentOf(place, connection);
    },
    activityOf(id) {
      for (const { durable } of places.values()) if (durable?.id === id) return durable.activity();
      return undefined;
    },
    async stop() {
      await loop.stop();
      const durables = [...places.values()].flatMap(({ durable }) => durable ?? []);
      await Promise.all([...endings, ...durables.map((durable) => durable.stop())]);
      return durables;
    },
  };
}

function placeOf(places: Map<string, Place>, { namespace, name }: AttachRequest): Place {
  const key = keyOf({ namespace, name });
  const place = places.get(key) ?? { namespace, name, waiting: new Set(), durable: undefined };
  places.set(key, place);
  return place;
}

function attachmentOf(place: Place, connection: AttachRequest): Attachment {
  return {
    subscription: () => (place.durable?.has(connection) === true ? place.durable.reference : undefined),
    isActive: () => place.durable?.isActive(connection) ?? false,
    acknowledge: (id) => place.durable?.acknowledge(connection, id) ?? false,
    close() {
      place.waiting.delete(connection);
      place.durable?.leave(connection);
      return Promise.resolve();
    },
  };
}

async function findRows(database: Database, wanted: Iterable<Place>) {
  const found: [Place, SubscriptionRow | undefined][] = [];
  for (const [namespace, places] of groupByNamespace(wanted)) {
    const names = places.map(({ name }) => name);
    const known = await database.rows('subscriptions', { namespace, name: names }, { limit: names.length });
    const rows = new Map(known.map((row) => [row.name, row]));
    for (const place of places) found.push([place, rows.get(place.name)]);
  }
  return found;
}

function groupByNamespace(places: Iterable<Place>): ReadonlyMap<string, readonly Place[]> {
  const groups = new Map<string, Place[]>();
  for (const place of places) groups.set(place.namespace, [...(groups.get(place.namespace) ?? []), place]);
  return groups;
}

function keyOf({ namespace, name }: Pick<Place, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}

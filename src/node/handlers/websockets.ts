import type { Database } from '../../ports/database.js';
import { textOf } from '../../wire/json/json.js';
import type { websocketRoutes } from '../../wire/routes/websockets.js';
import type { JsonText } from '../../wire/scalar.js';
import type { HandlersOf } from '../requests/handler.js';
import type { Streams } from '../stream.js';
import type { StartedSubscription } from '../stream/started.js';

export interface WebsocketHandlerParts {
  readonly database: Database;
  readonly streams: Pick<Streams, 'sessions'>;
}

const maxNamesAtOnce = 500;
const noFilter = textOf({});

/**
 * Creates the handler that lists sockets. If a socket has subscriptions in several namespaces, each namespace shows its
 * own. A socket without any is listed only in its home namespace.
 */
export function createWebsocketHandlers({
  database,
  streams,
}: WebsocketHandlerParts): HandlersOf<typeof websocketRoutes> {
  return {
    async getWebsockets({ namespace }) {
      const sessions = streams.sessions().map(({ caller, home, started }) => {
        const all = started.list();
        const subscriptions = all.filter(({ start }) => start.namespace === namespace);
        const isShown = subscriptions.length > 0 || (all.length === 0 && home === namespace);
        return { caller, subscriptions, isShown };
      });
      const filters = await filtersOf(
        database,
        namespace,
        sessions.flatMap(({ subscriptions }) => subscriptions),
      );
      return {
        enabled: true,
        connections: sessions
          .filter(({ isShown }) => isShown)
          .map(({ caller, subscriptions }) => ({
            ...caller,
            subscriptions: subscriptions.map((each) => shown(each, filters)),
          })),
      };
    },
  };
}

function shown({ start, startTime, attachment }: StartedSubscription, filters: ReadonlyMap<string, JsonText>) {
  return {
    startTime,
    ephemeral: start.kind === 'ephemeral',
    namespace: start.namespace,
    ...(start.kind === 'durable' && { name: start.name }),
    filter: start.kind === 'ephemeral' ? start.filterText : (filters.get(start.name) ?? noFilter),
    active: attachment.isActive(),
  };
}

/** The filters of the durable subscriptions among them, by name; absent for one that does not exist. */
async function filtersOf(
  database: Database,
  namespace: string,
  started: readonly StartedSubscription[],
): Promise<ReadonlyMap<string, JsonText>> {
  const names = [...new Set(started.flatMap(({ start }) => (start.kind === 'durable' ? [start.name] : [])))];
  const filters = new Map<string, JsonText>();
  for (let from = 0; from < names.length; from += maxNamesAtOnce) {
    const some = names.slice(from, from + maxNamesAtOnce);
    const rows = await database.rows('subscriptions', { namespace, name: some }, { limit: some.length });
    for (const { name, filter } of rows) filters.set(name, filter);
  }
  return filters;
}

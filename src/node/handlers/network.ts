import type { OwnIdentity } from '../../pipeline/state/identities/own-identity.js';
import type { Flushes } from '../../pipeline/batch/flushes.js';
import { keyLane } from '../../pipeline/operations/operation.js';
import type { Database } from '../../ports/database.js';
import type { BatchRow, OperationRow } from '../../ports/tables/tables.js';
import { every } from '../../ports/tables/where.js';
import type { BatchProcessors, MultipartyStatus } from '../../wire/network/network-status.js';
import type { networkRoutes } from '../../wire/routes/network.js';
import type { Access } from '../requests/access.js';
import type { HandlersOf } from '../requests/handler.js';
import {
  activeContract,
  findMember,
  type FollowedContract,
  joined,
  namespaceRecord,
  nodeDidOf,
} from '../network/own-network.js';

export interface NetworkHandlerParts {
  readonly database: Database;
  readonly access: Pick<Access, 'visibleTo' | 'mayRead'>;
  readonly own: Pick<OwnIdentity, 'did' | 'key' | 'keys'>;
  readonly flushes: Pick<Flushes, 'averageOf'>;
  readonly node: string;
  readonly contract: FollowedContract;
}

/** Creates the handlers for namespaces, membership and batches. */
export function createNetworkHandlers(parts: NetworkHandlerParts): HandlersOf<typeof networkRoutes> {
  const { database, access, own, flushes, node, contract } = parts;
  return {
    async listNamespaces({ http }) {
      const created = await joined(database, own.did);
      return access.visibleTo(http.message).map((name) => namespaceRecord(name, created));
    },

    getNamespace: async ({ namespace }) => namespaceRecord(namespace, await joined(database, own.did)),

    async getMultipartyStatus() {
      const [org, member] = await Promise.all([
        registration(database, own.did),
        registration(database, nodeDidOf(own, node)),
      ]);
      return { enabled: true, org, node: member, contracts: { active: activeContract(contract) } };
    },

    async getBatchProcessors({ http: { message } }) {
      const mayRead: MayRead = (namespace) => access.mayRead(message, namespace);
      const lanes = own.keys.flatMap((key) => (['broadcast', 'private'] as const).map((kind) => ({ key, kind })));
      const all = await Promise.all(lanes.map((lane) => processorOf({ database, flushes, mayRead }, lane)));
      // Keys of custom identities are listed once they have been used.
      const isMain = (index: number) => lanes[index]?.key === own.key;
      return { processors: all.filter(({ status }, index) => isMain(index) || status.totalBatches > 0) };
    },
  };
}

async function registration(database: Database, did: string): Promise<MultipartyStatus['org']> {
  const row = await findMember(database, did);
  return row === undefined ? { status: 'unregistered' } : { status: 'registered', id: row.id };
}

/** Number of newest batches that are checked for errors. */
const maxNewest = 25;
/** A key has one pin in flight, so it can only have failed pins that its owner has left unresolved. */
const maxFailed = 100;

type Processor = BatchProcessors['processors'][number];

/** Whether the caller may read the records of a namespace. */
type MayRead = (namespace: string) => boolean;

/** A key signs the batches of all namespaces; a caller sees ids and errors only of those it may read. */
async function processorOf(
  { database, flushes, mayRead }: Pick<NetworkHandlerParts, 'database' | 'flushes'> & { readonly mayRead: MayRead },
  { key, kind }: { readonly key: string; readonly kind: BatchRow['type'] },
): Promise<Processor> {
  const ofLane = { namespace: every, signer: key, type: kind } as const;
  const [totalBatches, newest, sealed, failed] = await Promise.all([
    database.count('batches', ofLane),
    database.rows('batches', ofLane, { limit: maxNewest, newestFirst: true }),
    database.first('batches', { ...ofLane, state: 'sealed' }),
    findFailedPins(database, key),
  ]);
  const errors = failed.filter(({ batch }) => newest.some(({ id }) => id === batch));
  const last = errors.findLast(({ namespace }) => mayRead(namespace));
  const average = flushes.averageOf(key, kind);
  return {
    dispatcher: `pinned_${kind}`,
    name: `pinned_${kind}/${key}`,
    status: {
      lastFlushStartTime: newest[0]?.created ?? null,
      ...(sealed !== undefined && mayRead(sealed.namespace) && { flushing: sealed.id }),
      cancelled: newest[0]?.state === 'cancelled',
      blocked: sealed !== undefined && errors.some(({ batch }) => batch === sealed.id),
      ...(last?.error != null && { lastFlushError: last.error, lastFlushErrorTime: last.updated }),
      ...(average !== undefined && {
        averageBatchBytes: average.sizeBytes,
        averageBatchMessages: average.messages,
        averageBatchData: average.items,
        averageFlushTimeMS: average.timeMs,
      }),
      totalBatches,
      totalErrors: errors.length,
    },
  };
}

function findFailedPins(database: Database, key: string): Promise<readonly OperationRow[]> {
  return database.rows('operations', { namespace: every, lane: keyLane(key), status: 'Failed' }, { limit: maxFailed });
}

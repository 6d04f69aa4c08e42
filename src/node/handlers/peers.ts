import { blobLane, peerLane } from '../../pipeline/operations/operation.js';
import type { Database } from '../../ports/database.js';
import { every } from '../../ports/tables/where.js';
import type { Status } from '../../wire/network/status.js';

export interface PeersParts {
  readonly database: Database;
  /** Name of this node, which is not a peer of itself. */
  readonly node: string;
  /** Returns when a node last sent anything to this process, by its id. */
  readonly lastContact: (node: string) => string | undefined;
}

type Peers = Status['parley']['peers'];

const maxPeers = 256;
const open = ['Initialized', 'Pending'] as const;

/** The other nodes of the network, the work that waits for each, and the last contact (docs/api.md §21.3). */
export async function readPeers({ database, node, lastContact }: PeersParts): Promise<Peers> {
  const rows = await database.rows('identities', { type: 'node' }, { limit: maxPeers });
  const others = rows.filter(({ name }) => name !== node);
  return Promise.all(
    others.map(async ({ id, name }) => {
      const [outbox, answered] = await Promise.all([
        database.count('operations', { namespace: every, lane: [peerLane(id), blobLane(id)], status: open }),
        lastAnswer(database, id),
      ]);
      const heard = [answered, lastContact(id)]
        .filter((time) => time !== undefined)
        .sort()
        .at(-1);
      return { node: name, outbox, ...(heard !== undefined && { lastContact: heard }) };
    }),
  );
}

/** Time of the latest acknowledged envelope to a node. */
async function lastAnswer(database: Database, node: string): Promise<string | undefined> {
  const row = await database.last('operations', { namespace: every, lane: peerLane(node), status: 'Succeeded' });
  return row?.updated;
}

import { blobLane, peerLane } from '../../pipeline/operations/operation.js';
import { type Database, everyNamespace } from '../../ports/database.js';
import { among, equal, oldestFirst } from '../../wire/lists/query.js';
import type { Status } from '../../wire/network/status.js';

export interface PeersParts {
  readonly database: Database;
  /** Name of this node, which is not its own peer. */
  readonly node: string;
  /** Returns when a node last sent anything to this process, by its id. */
  readonly lastContact: (node: string) => string | undefined;
}

type Peers = Status['parley']['peers'];

const maxPeers = 256;

/** The other nodes of the network, the work that waits for each, and the last contact (docs/api.md §21.3). */
export async function readPeers({ database, node, lastContact }: PeersParts): Promise<Peers> {
  const where = [equal('type', 'node')];
  const query = { namespace: everyNamespace, where, sort: oldestFirst, limit: maxPeers } as const;
  const rows = await database.find('identities', query);
  const others = rows.filter(({ name }) => name !== node);
  return Promise.all(
    others.map(async ({ id, name }) => {
      const lanes = among('lane', [peerLane(id), blobLane(id)]);
      const isOpen = among('status', ['Initialized', 'Pending']);
      const [outbox, answered] = await Promise.all([
        database.count('operations', { namespace: everyNamespace, where: [lanes, isOpen] }),
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
  const where = [equal('lane', peerLane(node)), equal('status', 'Succeeded')];
  const sort = [{ field: 'sequence', descending: true }];
  const [row] = await database.find('operations', { namespace: everyNamespace, where, sort, limit: 1 });
  return row?.updated;
}

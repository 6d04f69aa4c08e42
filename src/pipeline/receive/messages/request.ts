import type { PeerReceiver } from '../../../ports/data-exchange.js';
import type { Database, Unit } from '../../../ports/database.js';
import type { Log } from '../../../ports/log.js';
import { every } from '../../../ports/tables/where.js';
import type { Bus } from '../../bus.js';
import { findNodesWithKey } from '../../state/identities/registry.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import { peerLane } from '../../operations/operation.js';
import { sendAgain } from '../../operations/send-again.js';
import { later, type Received, refused, stored } from '../received.js';

export interface RequestReceiverParts {
  readonly database: Database;
  readonly own: Pick<OwnIdentity, 'keys'>;
  readonly bus: Bus;
  readonly log: Log;
  /** Called with the id of each node that contacts this one. */
  readonly onPeer: (node: string) => void;
}

/**
 * Receives requests for private batches (docs/protocol.md §11.6): a batch that this node has sealed is sent again to a
 * peer that is a member of its group, and to nobody else. A repeated request has no effect while the batch is sent.
 */
export function createRequestReceiver(parts: RequestReceiverParts): PeerReceiver['receiveRequest'] {
  const { database, own, bus, log, onPeer } = parts;
  return async (sender, hash) => {
    const { answer, bells, nodes } = await database.transaction((unit) => receive(unit, { sender, hash, own }));
    nodes.forEach(onPeer);
    bus.ring(...bells);
    if (answer.status === 'refused') log.warn('A request for a batch was refused', { sender, reason: answer.reason });
    return answer;
  };
}

interface BatchRequest {
  readonly sender: string;
  readonly hash: string;
  readonly own: RequestReceiverParts['own'];
}

async function receive(
  unit: Unit,
  { sender, hash, own }: BatchRequest,
): Promise<Received & { readonly nodes: readonly string[] }> {
  const nodes = await findNodesWithKey(unit, sender);
  if (nodes.length === 0) return { nodes, ...later('the registry is not read as far as this peer') };
  const sealedHere = { namespace: every, hash, type: 'private', signer: own.keys } as const;
  let isFound = false;
  for (const batch of await unit.rows('batches', sealedHere, { limit: maxSame })) {
    const sends = { namespace: every, batch: batch.id, batchHash: hash, signer: batch.signer } as const;
    for (const node of nodes) {
      const envelope = { ...sends, type: 'dataexchange_send_batch', lane: peerLane(node) } as const;
      if (!(await unit.has('operations', envelope))) continue;
      // The answer on its way may be from before the peer needed the batch again, and would end the sending.
      if (await unit.has('operations', { ...envelope, status: ['Initialized', 'Pending'] }))
        return { nodes, ...sending };
      isFound = true;
      await sendAgain(unit, batch, node);
    }
  }
  return {
    nodes,
    ...(isFound ? { ...stored, bells: ['operations'] } : refused('no batch of this node for this peer')),
  };
}

const sending = later('the batch is being sent');

/** More batches than keys of this node can have sealed with one hash, which covers the id and the key. */
const maxSame = 100;

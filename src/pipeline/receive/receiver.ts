import type { PeerReceiver } from '../../ports/data-exchange.js';
import type { Operator } from '../operations/operate.js';
import { blobLane, peerLane } from '../operations/operation.js';
import { type BlobReceiverParts, createBlobReceiver } from './data/blob.js';
import { createEnvelopeReceiver } from './messages/peer.js';
import { createRequestReceiver } from './messages/request.js';
import type { ReceivePeerParts } from './received.js';

export interface ReceiverParts extends Omit<BlobReceiverParts, 'onPeer'>, Omit<ReceivePeerParts, 'onPeer'> {
  readonly operator: Pick<Operator, 'revive'>;
}

/** Receives envelopes and blobs from peers, and records when each peer last sent one. */
export interface Receiver {
  readonly receiver: PeerReceiver;
  /** Time of a node's last transfer since this process started. */
  readonly lastContact: (node: string) => string | undefined;
}

export function createReceiver(parts: ReceiverParts): Receiver {
  const { operator, clock } = parts;
  const contacts = new Map<string, string>();
  // A peer that sends can be reached, so its lanes are retried at once (docs/protocol.md §11.6).
  const onPeer = (node: string): void => {
    contacts.set(node, clock.now());
    operator.revive(peerLane(node));
    operator.revive(blobLane(node));
  };
  return {
    receiver: {
      receiveEnvelope: createEnvelopeReceiver({ ...parts, onPeer }),
      ...createBlobReceiver({ ...parts, onPeer }),
      receiveRequest: createRequestReceiver({ ...parts, onPeer }),
    },
    lastContact: (node) => contacts.get(node),
  };
}

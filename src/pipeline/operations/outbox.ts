import type { Random } from '../../ports/random.js';
import type { MessageRow, NewRow } from '../../ports/tables/tables.js';
import type { PayloadData } from '../../wire/messages/batch.js';
import type { GroupMember } from '../../wire/messages/group.js';
import { blobLane, newOperation, type OperationSubject, peerLane } from './operation.js';

/** A private batch, or an unpinned message, for the other members of a group (docs/protocol.md §11.2). */
export interface Parcel {
  readonly members: readonly GroupMember[];
  readonly group: string;
  /** Id of this node, which is skipped. */
  readonly node: string;
  readonly subject: OperationSubject;
  /** Set for an unpinned message. */
  readonly message?: Pick<MessageRow, 'id' | 'hash'>;
  readonly items: readonly Pick<PayloadData, 'blob'>[];
  readonly created: string;
}

/**
 * Returns the operations of the outbox (docs/protocol.md §11.6): one for the envelope and one for each blob, for the
 * node of every other member. Written in the unit that accepts or seals.
 */
export function newSends(parcel: Parcel, random: Random): NewRow<'operations'>[] {
  const nodes = [...new Set(parcel.members.map(({ node }) => node))].filter((node) => node !== parcel.node);
  return nodes.flatMap((peer) => [newEnvelopeSend(parcel, peer, random), ...newBlobSends(parcel, peer, random)]);
}

function newEnvelopeSend(
  { group, subject, message, created }: Parcel,
  peer: string,
  random: Random,
): NewRow<'operations'> {
  return newOperation({
    id: random.uuid(),
    type: 'dataexchange_send_batch',
    lane: peerLane(peer),
    created,
    subject,
    input: { peer, group, ...(message !== undefined && { message: message.id, hash: message.hash }) },
  });
}

function newBlobSends(parcel: Parcel, peer: string, random: Random): NewRow<'operations'>[] {
  const { items, subject, message, created } = parcel;
  const blobs = new Map(items.flatMap(({ blob }) => (blob === undefined ? [] : [[blob.hash, blob.size]])));
  const source = message?.hash ?? subject.batchHash;
  return [...blobs].map(([blob, size]) =>
    newOperation({
      id: random.uuid(),
      type: 'dataexchange_send_blob',
      lane: blobLane(peer),
      created,
      subject,
      blob,
      input: { peer, source, size, ...(message !== undefined && { message: message.id }) },
    }),
  );
}

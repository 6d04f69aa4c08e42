import type { Unit } from '../../ports/database.js';
import type { BatchRow } from '../../ports/tables/tables.js';
import { every } from '../../ports/tables/where.js';
import { blobLane, peerLane } from './operation.js';

/**
 * Lets the envelope of a private batch of this node be sent once more, to one node or to all, with those of its files
 * that are still here (docs/protocol.md §11.6). Sending that goes on or has failed stays as it is.
 */
export async function sendAgain(unit: Unit, { id, hash, signer }: BatchRow, node?: string): Promise<void> {
  const lanes = node === undefined ? {} : { lane: [peerLane(node), blobLane(node)] };
  const sent = { namespace: every, batch: id, batchHash: hash, signer, status: 'Succeeded', ...lanes } as const;
  await unit.update('operations', { ...sent, type: 'dataexchange_send_batch' }, open);
  const files = await unit.rows('operations', { ...sent, type: 'dataexchange_send_blob' }, { limit: maxFiles });
  const hashes = [...new Set(files.flatMap(({ blob }) => blob ?? []))];
  if (hashes.length === 0) return;
  const here = new Set((await unit.rows('blobs', { hash: hashes }, { limit: hashes.length })).map((blob) => blob.hash));
  const again = files.filter(({ blob }) => blob !== null && here.has(blob));
  if (again.length === 0) return;
  await unit.updateEach(
    'operations',
    'sequence',
    again.map(({ sequence }) => ({ sequence, ...open })),
  );
}

const open = { status: 'Initialized', error: null } as const;

/** One for each item of a batch and each other member: more than the limits of a network allow. */
const maxFiles = 1_000_000;

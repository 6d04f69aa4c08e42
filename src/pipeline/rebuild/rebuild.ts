import { positions } from '../state/chain/cursor.js';
import { undoBatches } from './messages/batches.js';
import { undoChainEvents } from './chain-events.js';
import { findKeptBlock, type KeptBlock } from './kept-block.js';
import { beginWithReplaced } from './listeners.js';
import type { RebuildParts } from './undoing.js';
import { undoMembers } from './members.js';
import { reopenCalls } from './calls.js';
import { undoApprovals } from './tokens/approvals.js';
import { undoTransfers } from './tokens/transfers.js';

export interface Rebuilt {
  /** The last block whose effects were kept; -1 if none was. */
  readonly keptBlock: number;
  /** The last block that the node had read before; undefined if it had read none. */
  readonly readBlock: number | undefined;
}

/**
 * Undoes everything that a node has derived from blocks that are no longer on the chain, or from block `from` on, so
 * that its next start reads them again (docs/operations.md §10.1). Data that only this node has stays: sealed batches
 * wait for their pins again, calls are open again with their nonces and bytes, and private payloads wait for their
 * pins. Must run before the pipeline starts. After a crash at any point, a repeat completes it: the position is moved
 * first, and each unit undoes the newest rows after it.
 *
 * @throws ChainError unreachable, other_chain
 */
export async function rebuildHistory(
  parts: RebuildParts,
  { from }: { readonly from?: number | undefined } = {},
): Promise<Rebuilt> {
  const { log, failpoint } = parts;
  const place = await findPlace(parts, from);
  const { block: kept, readBlock } = place;
  await moveCursor(parts, place);
  await failpoint.reach('rebuild.after-cursor');
  log.info('Undoing everything after a block', { keptBlock: kept, readBlock });
  const afterUnit = async (): Promise<void> => {
    parts.tellProgress?.(`taken back more of what came after block ${kept}`);
    await failpoint.reach('rebuild.after-unit');
  };
  const undoing = { ...parts, after: kept, afterUnit };
  await undoTransfers(undoing);
  await undoApprovals(undoing);
  await undoChainEvents(undoing);
  await undoBatches(undoing);
  await undoMembers(undoing);
  await reopenCalls(undoing);
  return { keptBlock: kept, readBlock };
}

interface Place extends KeptBlock {
  /** The first block that the chain may have replaced; undefined if the chain still has all blocks that were read. */
  readonly firstReplaced: number | undefined;
}

/**
 * Finds the block after which everything is undone; without a hash, everything is. The chain may replace blocks during
 * the search, so the hash is that of the block the node has read: otherwise it would treat a block in its place as
 * read.
 */
async function findPlace(parts: RebuildParts, from: number | undefined): Promise<Place> {
  const { database, blockchain, firstBlock } = parts;
  const kept = await findKeptBlock(database, blockchain);
  const hasAll = kept.readBlock === undefined || kept.block === kept.readBlock;
  const found = { ...kept, firstReplaced: hasAll ? undefined : kept.block + 1 };
  // There is nothing to keep or to read again before the contract's first log.
  const block = Math.max(firstBlock - 1, Math.min(found.block, (from ?? Infinity) - 1));
  if (block < firstBlock) return { ...found, block, blockHash: undefined };
  if (block === found.block) return found;
  const blockHash = await blockchain.blockHash(block);
  const isStill = (await blockchain.blockHash(found.block)) === found.blockHash;
  return isStill ? { ...found, block, blockHash } : findPlace(parts, from);
}

async function moveCursor({ database }: RebuildParts, { block, blockHash, firstReplaced }: Place): Promise<void> {
  await database.transaction(async (unit) => {
    if (firstReplaced !== undefined) await beginWithReplaced(unit, firstReplaced);
    // Without a position the chain is read from the contract's first block.
    if (blockHash === undefined) await unit.remove('cursors', { source: positions });
    else await unit.update('cursors', { source: positions }, { block, blockHash });
  });
}

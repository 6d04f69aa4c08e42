import { blockOf } from '../../domain/protocol-id.js';
import { systemNamespace } from '../../domain/network/identity.js';
import { type Blockchain, ChainError } from '../../ports/blockchain.js';
import type { Database } from '../../ports/database.js';
import type { BlockchainEventRow } from '../../ports/tables/contract-tables.js';
import { below } from '../../ports/tables/where.js';
import { chainHash } from '../../wire/chain/chain-hash.js';
import { readCursor } from '../state/chain/cursor.js';

/** Events of pins that are searched; each contains the hash of its block. */
const maxEvents = 500;

interface FoundBlock {
  /** The last block that is known to be still on the chain; -1 if there is none. */
  readonly block: number;
  /** The hash by which it was found; undefined if none is known. */
  readonly blockHash: string | undefined;
}

export interface KeptBlock extends FoundBlock {
  /** The last block that was read; undefined if none was. */
  readonly readBlock: number | undefined;
}

/**
 * Finds the last block that the node has read and the chain still has: the last block read, or else the last one with a
 * pin. A block determines all blocks before it, so those are on the chain, too.
 *
 * @throws ChainError unreachable, other_chain
 */
export async function findKeptBlock(
  database: Database,
  blockchain: Pick<Blockchain, 'blockHash' | 'network' | 'status'>,
): Promise<KeptBlock> {
  const cursor = await readCursor(database);
  if (cursor === undefined) return { ...nothing, readBlock: undefined };
  const { genesisHash } = await blockchain.status();
  if (cursor.genesisHash !== genesisHash || cursor.contract !== blockchain.network) {
    const what = `This node has read the chain ${cursor.genesisHash} and the contract ${cursor.contract}`;
    const found = `and it is connected to the chain ${genesisHash} and the contract ${blockchain.network}`;
    throw new ChainError('other_chain', `${what}, ${found}. There is nothing to go back to.`);
  }
  const { block: readBlock, blockHash } = cursor;
  if ((await blockchain.blockHash(readBlock)) === blockHash) return { block: readBlock, blockHash, readBlock };
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const events = await readPins(database, before);
    const found = await newestOnChain(events, blockchain);
    const last = events.at(-1);
    if (found !== undefined || last === undefined) return { ...(found ?? nothing), readBlock };
    before = last.sequence;
  }
}

const nothing: FoundBlock = { block: -1, blockHash: undefined };

function readPins(database: Database, before: number): Promise<readonly BlockchainEventRow[]> {
  return database.rows(
    'blockchainevents',
    { namespace: systemNamespace, origin: 'network', sequence: below(before) },
    { limit: maxEvents, newestFirst: true },
  );
}

/** Binary search, newest first, for the first event whose block is on the chain. */
async function newestOnChain(
  events: readonly BlockchainEventRow[],
  blockchain: Pick<Blockchain, 'blockHash'>,
): Promise<FoundBlock | undefined> {
  let found: FoundBlock | undefined;
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const event = events[middle];
    const onChain = event && (await findOnChain(event, blockchain));
    if (onChain !== undefined) [high, found] = [middle, onChain];
    else low = middle + 1;
  }
  return found;
}

/** The block of an event, if the chain still has it. */
async function findOnChain(
  { protocolId, info }: BlockchainEventRow,
  blockchain: Pick<Blockchain, 'blockHash'>,
): Promise<FoundBlock | undefined> {
  const block = blockOf(protocolId);
  const blockHash = await blockchain.blockHash(block);
  const isOnChain = blockHash !== undefined && info.includes(`"blockHash":"${chainHash(blockHash)}"`);
  return isOnChain ? { block, blockHash } : undefined;
}

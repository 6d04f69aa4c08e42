import { readOperationData } from '../../../domain/operation-data.js';
import type { Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { NewRow, OperationRow } from '../../../ports/tables/tables.js';
import type { Bell } from '../../bus.js';
import { newTransaction } from '../../state/chain/transaction-row.js';
import { releaseMessages } from '../../state/messages/staged.js';
import type { PoolEvent } from './pool-event.js';

export interface Attributed extends PoolEvent {
  readonly localId: string;
  /** Whether it was recorded before, and its event may still be in the log. */
  readonly isAgain: boolean;
  readonly tx: TokenTransaction | undefined;
}

interface TokenTransaction {
  readonly type: 'token_transfer' | 'token_approval';
  readonly id: string;
}

interface Known {
  readonly namespace: string;
  /** Open operations of this node by transaction hash. */
  readonly open: Map<string, OperationRow>;
  /** Operations of this node that have succeeded, by transaction hash. */
  readonly ended: ReadonlyMap<string, OperationRow>;
  /** Transactions of all operations of this node by transaction hash. */
  readonly own: ReadonlyMap<string, TokenTransaction>;
  readonly hashes: Map<string, readonly string[]>;
}

/**
 * Matches events with this node's operations. The first event of an operation's transaction in its pool ends the
 * operation and takes its `localId`, also when the event is read again after the pool was deleted and restored. All
 * others get a new id. The transaction named in an event's data is accepted unless it is known under another hash,
 * because anyone may write it (docs/protocol.md §13.1).
 */
export async function attribute(
  unit: Unit,
  namespace: string,
  events: readonly PoolEvent[],
  parts: { readonly now: string; readonly random: Random },
): Promise<{ readonly attributed: readonly Attributed[]; readonly bells: readonly Bell[] }> {
  const { now, random } = parts;
  const known = await findKnown(unit, namespace, events);
  const ended: { readonly operation: OperationRow; readonly event: PoolEvent }[] = [];
  const transactions = new Map<string, NewRow<'transactions'>>();
  const attributed = events.map((each): Attributed => {
    const { transactionHash } = each.event.log;
    const operation = known.open.get(transactionHash);
    const before = known.ended.get(transactionHash);
    const openId = operation && localIdFor(operation, each);
    const isAgain = before?.output?.['protocolId'] === each.protocolId;
    const localId = isAgain ? localIdFor(before, each) : openId;
    if (operation !== undefined && openId !== undefined) {
      known.open.delete(transactionHash);
      ended.push({ operation, event: each });
    }
    const tx = transactionOf(each, known);
    if (tx !== undefined && !known.hashes.has(tx.id)) {
      known.hashes.set(tx.id, [transactionHash]);
      const row = newTransaction(namespace, { ...tx, created: now });
      transactions.set(tx.id, { ...row, blockchainIds: [transactionHash] });
    }
    return { ...each, localId: localId ?? random.uuid(), isAgain, tx };
  });
  if (transactions.size > 0) await unit.put('transactions', [...transactions.values()]);
  return { attributed, bells: await end(unit, namespace, ended, parts) };
}

/** Returns the `localId` of the operation's request if this event belongs to the operation. */
function localIdFor({ type, input }: OperationRow, { pool, event }: PoolEvent): string | undefined {
  const isSame =
    type === (event.type === 'transfer' ? 'token_transfer' : 'token_approval') && input['pool'] === pool.id;
  return isSame && typeof input['localId'] === 'string' ? input['localId'] : undefined;
}

function transactionOf({ event, operationData }: PoolEvent, { own, hashes }: Known): TokenTransaction | undefined {
  const { transactionHash } = event.log;
  const type = event.type === 'transfer' ? 'token_transfer' : 'token_approval';
  const submitted = own.get(transactionHash);
  if (submitted !== undefined) return submitted.type === type ? submitted : undefined;
  if (operationData === undefined) return undefined;
  const before = hashes.get(operationData.tx);
  return before === undefined || before.includes(transactionHash) ? { type, id: operationData.tx } : undefined;
}

async function findKnown(unit: Unit, namespace: string, events: readonly PoolEvent[]): Promise<Known> {
  const chainHashes = [...new Set(events.map(({ event }) => event.log.transactionHash))];
  const operations = await unit.rows(
    'operations',
    { namespace, transactionHash: chainHashes, type: ['token_transfer', 'token_approval'] },
    { limit: chainHashes.length },
  );
  const own = new Map<string, TokenTransaction>();
  const open = new Map<string, OperationRow>();
  const ended = new Map<string, OperationRow>();
  for (const operation of operations) {
    const { type, transactionHash, tx, status } = operation;
    if (transactionHash === null || (type !== 'token_transfer' && type !== 'token_approval')) continue;
    own.set(transactionHash, { type, id: tx });
    if (status === 'Initialized' || status === 'Pending') open.set(transactionHash, operation);
    if (status === 'Succeeded') ended.set(transactionHash, operation);
  }
  return { namespace, open, ended, own, hashes: await findHashes(unit, namespace, events) };
}

async function findHashes(
  unit: Unit,
  namespace: string,
  events: readonly PoolEvent[],
): Promise<Map<string, readonly string[]>> {
  const ids = [...new Set(events.flatMap(({ operationData }) => operationData?.tx ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await unit.rows('transactions', { namespace, id: ids }, { limit: ids.length });
  return new Map(rows.map(({ id, blockchainIds }) => [id, blockchainIds]));
}

/** Marks the operations as succeeded and releases their messages (docs/protocol.md §13.1). */
async function end(
  unit: Unit,
  namespace: string,
  ended: readonly { readonly operation: OperationRow; readonly event: PoolEvent }[],
  { now, random }: { readonly now: string; readonly random: Random },
): Promise<readonly Bell[]> {
  if (ended.length === 0) return [];
  const waiting = await findStaged(
    unit,
    namespace,
    ended.flatMap(({ operation }) => (mayHaveMessage(operation) ? [operation.tx] : [])),
  );
  await unit.updateEach(
    'operations',
    'sequence',
    ended.map(({ operation: { sequence }, event: { event, protocolId } }) => {
      const { transactionHash, position } = event.log;
      const { block: blockNumber, transactionIndex } = position;
      const output = { transactionHash, blockNumber, transactionIndex, protocolId };
      return { sequence, status: 'Succeeded', error: null, output, updated: now };
    }),
  );
  const bells = new Set<Bell>(['operations']);
  for (const { operation } of ended) {
    const { type, tx: id } = operation;
    if (!waiting.has(id) || (type !== 'token_transfer' && type !== 'token_approval')) continue;
    for (const bell of await releaseMessages(unit, { type, id }, { namespace, now, random })) bells.add(bell);
  }
  return [...bells];
}

/** Whether a message may wait for the operation, according to the data of its call. */
function mayHaveMessage({ type, input }: OperationRow): boolean {
  if (type !== 'token_transfer' && type !== 'token_approval') return false;
  const data = readOperationData(String(input['data']), type);
  return data === undefined || data.message !== undefined;
}

async function findStaged(unit: Unit, namespace: string, ids: readonly string[]): Promise<ReadonlySet<string | null>> {
  if (ids.length === 0) return new Set();
  const rows = await unit.rows('messages', { namespace, parentId: ids, state: 'staged' }, { limit: maxStaged });
  return new Set(rows.map(({ parentId }) => parentId));
}

/** More operations than a page has. */
const maxStaged = 100_000;

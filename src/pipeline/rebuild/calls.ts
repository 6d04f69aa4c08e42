import type { Database, Unit } from '../../ports/database.js';
import { type Blockchain, ChainError } from '../../ports/blockchain.js';
import type { OperationRow } from '../../ports/tables/tables.js';
import { above, every, present } from '../../ports/tables/where.js';
import type { EventType } from '../../wire/events/event.js';
import { afterField, emptyCall, fillerOutput } from '../state/chain/stored-call.js';
import { cancelledMessages, hasData, parentTypeOf, restageMessages } from '../state/messages/staged.js';
import { removeSource } from '../state/tokens/pool.js';
import { takeBackEvents } from './events.js';
import type { Undoing } from './undoing.js';

const maxRows = 500;

const endEvents: readonly EventType[] = [
  'blockchain_invoke_op_succeeded',
  'blockchain_invoke_op_failed',
  'blockchain_contract_deploy_op_succeeded',
  'blockchain_contract_deploy_op_failed',
  'message_op_failed',
  'token_pool_op_failed',
  'token_transfer_op_failed',
  'token_approval_op_failed',
];

/** A call that is open again. */
interface Reopened {
  readonly operation: OperationRow;
  /** The block that contained it; undefined for a call that had failed. */
  readonly block: number | undefined;
  /** The empty call that uses the nonce of a failed call; undefined if the chain has mined that call again. */
  readonly filler: string | undefined;
}

/**
 * Reopens this node's calls that were mined in removed blocks. The same bytes are sent; if the chain already has them,
 * they are found. Each call waits for the calls of the previous block, so calls that depended on an earlier block do so
 * again. A call that had failed is not sent again: if its nonce is unused on the chain, an empty call uses it. But the
 * chain may have mined it again, with effect, and then it succeeds.
 */
export async function reopenCalls({ database, blockchain, after }: Undoing): Promise<void> {
  const isUsed = createIsUsed(blockchain);
  const mined = inOrderOfNonces(await findMined(database, after, isUsed));
  const reopened = [...mined, ...(await findFailed(database, blockchain, isUsed))];
  await letOpenCallsWait(database);
  if (reopened.length === 0) return;
  const before = wavesOf(reopened);
  await database.transaction(async (unit) => {
    for (let start = 0; start < reopened.length; start += maxRows) {
      await reopen(unit, reopened.slice(start, start + maxRows), before);
    }
  });
}

/**
 * Makes the open token operations wait, too: their pools are read again, and calls that they depend on may have to be
 * sent again.
 */
async function letOpenCallsWait(database: Database): Promise<void> {
  const types = ['token_transfer', 'token_approval'] as const;
  const open = { namespace: every, type: types, status: ['Initialized', 'Pending'] } as const;
  await database.transaction(async (unit) => {
    for (let last = 0; ;) {
      const rows = await unit.rows('operations', { ...open, sequence: above(last) }, { limit: maxRows });
      const unmarked = rows.filter(({ input }) => !(afterField in input));
      if (unmarked.length > 0) {
        const marked = unmarked.map(({ sequence, input }) => ({ sequence, input: { ...input, [afterField]: [] } }));
        await unit.updateEach('operations', 'sequence', marked);
      }
      last = rows.at(-1)?.sequence ?? last;
      if (rows.length < maxRows) return;
    }
  });
}

/** Reads the ended calls of this node page by page. */
async function* readEnded(database: Database, status: 'Succeeded' | 'Failed'): AsyncGenerator<OperationRow> {
  for (let last = 0; ;) {
    const rows = await database.rows(
      'operations',
      { namespace: every, sequence: above(last), nonce: present, status },
      { limit: maxRows },
    );
    yield* rows;
    last = rows.at(-1)?.sequence ?? last;
    if (rows.length < maxRows) return;
  }
}

/** Whether the chain has used a nonce of one of this node's keys; `perhaps`: without enough confirmations. */
type IsUsed = (operation: Pick<OperationRow, 'signer' | 'nonce'>) => Promise<'yes' | 'no' | 'perhaps'>;

function createIsUsed(blockchain: Blockchain): IsUsed {
  const counts = new Map<string, { readonly mined: number; readonly confirmed: number }>();
  return async ({ signer, nonce }) => {
    if (!blockchain.keys.includes(signer)) return 'yes';
    const count = counts.get(signer) ?? {
      mined: await blockchain.count(signer),
      confirmed: await blockchain.count(signer, 'confirmed'),
    };
    counts.set(signer, count);
    if ((nonce ?? 0) < count.confirmed) return 'yes';
    return (nonce ?? 0) < count.mined ? 'perhaps' : 'no';
  };
}

/**
 * Finds the calls whose blocks were removed. These include calls whose receipts arrived before their blocks were read,
 * since the node may have read other blocks with these numbers afterwards.
 */
async function findMined(database: Database, after: number, isUsed: IsUsed): Promise<readonly Reopened[]> {
  const found: Reopened[] = [];
  for await (const operation of readEnded(database, 'Succeeded')) {
    const block = operation.output?.['blockNumber'];
    if (typeof block !== 'number') continue;
    if (block > after || (await isUsed(operation)) === 'no') found.push({ operation, block, filler: undefined });
  }
  return found;
}

/**
 * Finds failed calls whose nonces the chain has not used, since without these no later call of their keys can be mined,
 * and those that it has mined again with effect, or perhaps has.
 */
async function findFailed(database: Database, blockchain: Blockchain, isUsed: IsUsed): Promise<readonly Reopened[]> {
  const found: Reopened[] = [];
  for await (const operation of readEnded(database, 'Failed')) {
    const { signer, nonce } = operation;
    if (nonce === null || !blockchain.keys.includes(signer)) continue;
    const used = await isUsed(operation);
    if (used === 'yes' && !(await hasSucceeded(blockchain, operation))) continue;
    const filler = used === 'no' ? (await blockchain.sign(signer, nonce, emptyCall(signer))).raw : undefined;
    found.push({ operation, block: undefined, filler });
  }
  return found;
}

/** Whether exactly these bytes were mined with effect; their nonce is known to be used. */
async function hasSucceeded(blockchain: Blockchain, { raw }: OperationRow): Promise<boolean> {
  try {
    return raw !== null && (await blockchain.submit(raw)).status === 'success';
  } catch (error) {
    if (error instanceof ChainError && error.reason === 'refused') return false;
    throw error;
  }
}

/**
 * Gives each call a block that is not before the block of the previous nonce. Receipts from different histories may
 * contradict that, and calls would then wait for each other forever.
 */
function inOrderOfNonces(mined: readonly Reopened[]): readonly Reopened[] {
  const last = new Map<string, number>();
  return [...mined]
    .sort((a, b) => (a.operation.nonce ?? 0) - (b.operation.nonce ?? 0))
    .map((each) => {
      const { signer } = each.operation;
      const block = Math.max(last.get(signer) ?? 0, each.block ?? 0);
      last.set(signer, block);
      return { ...each, block };
    });
}

/** Returns, by block, the calls of the nearest block before it. */
function wavesOf(reopened: readonly Reopened[]): ReadonlyMap<number, readonly string[]> {
  const calls = new Map<number, string[]>();
  for (const { operation, block } of reopened) {
    if (block !== undefined) calls.set(block, [...(calls.get(block) ?? []), operation.id]);
  }
  const blocks = [...calls.keys()].sort((a, b) => a - b);
  return new Map(blocks.map((block, index) => [block, calls.get(blocks[index - 1] ?? -1) ?? []]));
}

async function reopen(
  unit: Unit,
  reopened: readonly Reopened[],
  before: ReadonlyMap<number, readonly string[]>,
): Promise<void> {
  await unit.updateEach(
    'operations',
    'sequence',
    reopened.map(({ operation: { sequence, input, error }, block, filler }) => {
      const earlier = block === undefined ? [] : (before.get(block) ?? []);
      const output = filler === undefined ? null : fillerOutput({ raw: filler, reason: error ?? '' });
      return { sequence, status: 'Pending', error: null, output, input: { ...input, [afterField]: earlier } };
    }),
  );
  await takeBackEvents(
    unit,
    endEvents,
    reopened.map(({ operation }) => operation.id),
  );
  const mined = reopened.filter(({ block }) => block !== undefined).map(({ operation }) => operation);
  await waitForPins(unit, mined);
  await stageAgain(unit, mined);
  const succeeded = reopened.filter(({ block, filler }) => block === undefined && filler === undefined);
  await stageCancelled(
    unit,
    succeeded.map(({ operation }) => operation),
  );
  await createAgain(unit, [...mined, ...succeeded.map(({ operation }) => operation)]);
}

/** A batch whose pin was mined but not read yet waits for the pin again. */
async function waitForPins(unit: Unit, operations: readonly OperationRow[]): Promise<void> {
  const pins = operations.filter(({ type }) => type === 'blockchain_pin_batch');
  if (pins.length === 0) return;
  const ids = pins.map(({ batch }) => batch);
  await unit.update('batches', { namespace: every, id: ids, state: 'pinned' }, { state: 'sealed' });
}

/** A message that is in no batch yet waits for its operation again. */
async function stageAgain(unit: Unit, operations: readonly OperationRow[]): Promise<void> {
  const parents = operations.map(({ tx }) => tx);
  const untaken = { namespace: every, parentId: parents, state: 'ready', batch: null } as const;
  await unit.update('messages', untaken, { state: 'staged' });
}

/** The message of a call that has succeeded after all is no longer cancelled, unless its data was deleted. */
async function stageCancelled(unit: Unit, operations: readonly OperationRow[]): Promise<void> {
  for (const { type, namespace, tx: id } of operations) {
    const parentType = parentTypeOf(type);
    if (parentType === undefined) continue;
    const parent = { type: parentType, id };
    const messages = await cancelledMessages(unit, namespace, parent);
    if (await hasData(unit, namespace, messages)) await restageMessages(unit, namespace, parent);
  }
}

/**
 * A pool whose creation was removed is created again. Its definition stays, and is valid if the pool has the same place
 * then.
 */
async function createAgain(unit: Unit, operations: readonly OperationRow[]): Promise<void> {
  const creations = operations.filter(({ type }) => type === 'token_create_pool');
  for (const { namespace, input } of creations) {
    const id = String(input['pool']);
    const pool = await unit.first('pools', { namespace, id });
    if (pool === undefined) continue;
    await takeBackEvents(unit, ['token_pool_confirmed'], [id]);
    await removeSource(unit, pool);
    await unit.remove('operations', { namespace, type: 'token_activate_pool', tx: pool.txid ?? '' });
    await unit.update('pools', { sequence: pool.sequence }, newColumns);
  }
}

const newColumns = {
  state: 'creating',
  active: false,
  locator: null,
  chainKey: null,
  address: null,
  info: null,
  networkName: null,
  published: false,
  pin: null,
  claim: null,
  verified: false,
  refusal: null,
} as const;

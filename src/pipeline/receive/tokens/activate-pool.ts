import { assert } from '../../../domain/invariant.js';
import { type Blockchain, ChainError } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database, Reader, Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { OperationRow } from '../../../ports/tables/tables.js';
import type { LocatedPool, TokenConnector } from '../../../ports/token-connector.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import type { PoolDefinition } from '../../../wire/token.js';
import type { AttemptResult, RunOperation, Settlement } from '../../operations/attempt.js';
import type { Bell, Bus } from '../../bus.js';
import { exactMessages } from '../../state/messages/exact.js';
import { releasePool, poolSubject } from '../../state/tokens/pool.js';
import { definedPool } from '../../state/tokens/token-pool.js';
import { newEvent } from '../../state/events/event-row.js';
import { refusalOfPool } from './pool-creation.js';
import type { Join } from '../chain/join.js';
import type { TokenApplier } from './token.js';

export interface ActivatePoolParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly connectors: ReadonlyMap<string, TokenConnector>;
  readonly tokens: TokenApplier;
  readonly join: Join;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Returns the runner of `token_activate_pool`: it checks a claimed pool against the chain, then reads the pool's whole
 * history and follows it (docs/api.md §19.1). The result is stored in the pool's row, and contexts that wait for it
 * become due. Safe to repeat.
 */
export function createActivatePool(parts: ActivatePoolParts): RunOperation {
  const { database, connectors, bus } = parts;

  async function run(operation: OperationRow, signal: AbortSignal): Promise<AttemptResult<Settlement>> {
    const pool = await findPool(database, operation);
    // The pool was removed.
    if (pool === undefined) return done();
    const { author, block, claim = pool.claim } = operation.input;
    if (typeof author !== 'string' || typeof block !== 'number') return followOwn(parts, pool, signal);
    // The definition of this operation is decided, or another operation has finished the check.
    if (pool.claim === null || claim !== pool.claim || isJudged(pool)) return done();
    const defined = await findDefinition(database, pool);
    assert(defined !== undefined, 'the definition that claims a pool is here');
    const located = connectors.get(defined.connector)?.locate(defined.locator);
    if (located === undefined) return noConnector;
    const refusal = await refusalOfPool(parts, defined, located, { author, block });
    if (refusal !== undefined || pool.state !== 'known' || pool.locator !== defined.locator) {
      bus.ring(...(await database.transaction((unit) => judge(unit, pool, refusal))));
      return done();
    }
    return follow(parts, pool, located, { isOwn: false, signal });
  }

  return async (operation, signal) => {
    try {
      return await run(operation, signal);
    } catch (error) {
      if (!(error instanceof ChainError) || error.reason !== 'unreachable') throw error;
      return { status: 'unreachable', error: error.message };
    }
  };
}

/** Follows a pool of this node, whether or not a definition claims it meanwhile. */
async function followOwn(
  parts: ActivatePoolParts,
  pool: PoolRow,
  signal: AbortSignal,
): Promise<AttemptResult<Settlement>> {
  // It is followed, or a pool of another member has its id now.
  if (pool.state !== 'known' || pool.published) return done();
  const located = pool.locator === null ? undefined : parts.connectors.get(pool.connector)?.locate(pool.locator);
  if (located === undefined) return noConnector;
  return follow(parts, pool, located, { isOwn: true, signal });
}

const noConnector = { status: 'failed', error: 'The node no longer has the connector of the pool.' } as const;

async function follow(
  { database, tokens, join, clock, random }: ActivatePoolParts,
  pool: PoolRow,
  { source, block, shared }: LocatedPool,
  { isOwn, signal }: { readonly isOwn: boolean; readonly signal: AbortSignal },
): Promise<AttemptResult<Settlement>> {
  const { namespace } = pool;
  const subject = poolSubject(pool);
  const { address, topics, withInput = false } = source;
  const joined = await join(
    {
      sources: [{ namespace, kind: 'pool', subject, address, topics, withInput }],
      reads: [source],
      from: block,
      before: shared,
      isWanted: async (unit) => (await findAgain(unit, pool))?.state === 'known',
      writesFor: (logs) => tokens.writesForHistory(pool, logs),
      finish: (unit) => finish(unit, pool, { isOwn, now: clock.now(), random }),
    },
    signal,
  );
  if (joined === 'unread') return { status: 'later', error: 'The chain is not read that far yet.' };
  if (joined === 'joined') return done();
  const now = await findAgain(database, pool);
  const isDone = now === undefined || (isOwn ? now.state !== 'known' : isJudged(now));
  return isDone ? done() : { status: 'later', error: 'Another operation has followed it.' };
}

function done(): AttemptResult<Settlement> {
  return { status: 'done', output: { output: {}, write: () => Promise.resolve([]) } };
}

/** Whether there is nothing left to check. */
function isJudged({ state, refusal, verified }: PoolRow): boolean {
  return refusal !== null || (verified && state === 'followed');
}

/** Returns the record of the definition that claims a pool, which may name another place than the pool's. */
async function findDefinition(reader: Reader, { claim }: PoolRow): Promise<PoolDefinition | undefined> {
  const [id = '', hash = ''] = claim?.split('/') ?? [];
  const [message] = (await exactMessages(reader, [{ id, hash }])).values();
  return message && definedPool(reader, message);
}

interface Finishing {
  readonly isOwn: boolean;
  readonly now: string;
  readonly random: Random;
}

/**
 * Completes the join: a pool of this node becomes active, and any other lets its definition be decided (docs/api.md
 * §19.1).
 */
async function finish(unit: Unit, pool: PoolRow, { isOwn, now: created, random }: Finishing): Promise<readonly Bell[]> {
  await change(unit, pool, { state: 'followed', ...(isOwn ? { active: true } : { verified: true }) });
  const bells = await releasePool(unit, pool);
  if (!isOwn) return bells;
  const { namespace, id, txid: tx, txtype } = pool;
  const subject = { namespace, id: random.uuid(), type: 'token_pool_confirmed', reference: id, topic: id } as const;
  await unit.insert('events', [newEvent({ ...subject, tx, txtype, created })]);
  return [...bells, 'events'];
}

/** Stores the chain's verdict on the definition that claims a pool. A pool of this node keeps its state. */
async function judge(unit: Unit, pool: PoolRow, refusal: string | undefined): Promise<readonly Bell[]> {
  if (refusal === undefined) await change(unit, pool, { verified: true });
  else await change(unit, pool, { refusal, ...(pool.published && { state: 'refused' }) });
  return releasePool(unit, pool);
}

async function change(unit: Unit, { sequence }: PoolRow, changes: Partial<PoolRow>): Promise<void> {
  await unit.update('pools', { sequence }, changes);
}

async function findPool(reader: Reader, { namespace, input }: OperationRow): Promise<PoolRow | undefined> {
  const { pool } = input;
  if (typeof pool !== 'string') return undefined;
  return reader.first('pools', { namespace, id: pool });
}

function findAgain(reader: Reader, { sequence }: PoolRow): Promise<PoolRow | undefined> {
  return reader.first('pools', { sequence });
}

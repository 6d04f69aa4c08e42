import { type Blockchain, ChainError } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database, Reader, Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { OperationRow } from '../../../ports/tables/tables.js';
import type { LocatedPool, TokenConnector } from '../../../ports/token-connector.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import type { AttemptResult, RunOperation, Settlement } from '../../operations/attempt.js';
import type { Bell, Bus } from '../../bus.js';
import { releasePool, poolSubject } from '../../common/tokens/pool.js';
import { newEvent } from '../../common/rows.js';
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
    // The pool was removed, or another operation has finished it.
    if (pool === undefined || isJudged(pool)) return done();
    const { author, block, claim = pool.claim } = operation.input;
    // The definition of this operation is decided.
    if (claim !== pool.claim) return done();
    const located = locate(pool, connectors);
    if (located === undefined) return { status: 'failed', error: 'The node no longer has the connector of the pool.' };
    if (pool.claim !== null) {
      // This operation began before the definition was decided; a newer one checks the claim.
      if (typeof author !== 'string' || typeof block !== 'number') return done();
      const refusal = await refusalOfPool(parts, pool, located, { author, block });
      if (refusal !== undefined || pool.state === 'followed') {
        bus.ring(...(await database.transaction((unit) => judge(unit, pool, refusal))));
        return done();
      }
    }
    return follow(parts, pool, located, signal);
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

async function follow(
  { database, tokens, join, clock, random }: ActivatePoolParts,
  pool: PoolRow,
  { source, block, shared }: LocatedPool,
  signal: AbortSignal,
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
      apply: async (unit, logs) => tokens.applyHistory(unit, pool, logs),
      finish: (unit) => finish(unit, pool, { now: clock.now(), random }),
    },
    signal,
  );
  if (joined === 'unread') return { status: 'later', error: 'The chain is not read that far yet.' };
  if (joined === 'joined') return done();
  const now = await findAgain(database, pool);
  return now === undefined || isJudged(now) ? done() : { status: 'later', error: 'Another operation has followed it.' };
}

function done(): AttemptResult<Settlement> {
  return { status: 'done', output: { output: {}, write: () => Promise.resolve([]) } };
}

/** Whether there is nothing left to check. */
function isJudged({ state, refusal, claim, verified }: PoolRow): boolean {
  if (refusal !== null || state === 'creating') return true;
  return state === 'followed' && (claim === null || verified);
}

function locate({ connector, locator }: PoolRow, connectors: ActivatePoolParts['connectors']): LocatedPool | undefined {
  return locator === null ? undefined : connectors.get(connector)?.locate(locator);
}

/**
 * Completes the join: a claimed pool makes its waiting definition due, any other becomes active (docs/api.md §19.1).
 */
async function finish(
  unit: Unit,
  pool: PoolRow,
  { now: created, random }: { readonly now: string; readonly random: Random },
): Promise<readonly Bell[]> {
  // The definition may have claimed the pool while its history was being read.
  const row = await findAgain(unit, pool);
  const isClaimed = row?.claim != null;
  const changes = isClaimed ? { verified: pool.claim !== null } : { active: true };
  await change(unit, pool, { ...changes, state: 'followed' });
  if (isClaimed) return releasePool(unit, pool);
  const { namespace, id, txid: tx, txtype } = pool;
  const subject = { namespace, id: random.uuid(), type: 'token_pool_confirmed', reference: id, topic: id } as const;
  await unit.insert('events', [newEvent({ ...subject, tx, txtype, created })]);
  return ['events'];
}

/** Stores the chain's verdict on a claimed pool. A pool that is already followed stays followed. */
async function judge(unit: Unit, pool: PoolRow, refusal: string | undefined): Promise<readonly Bell[]> {
  if (refusal === undefined) await change(unit, pool, { verified: true });
  else if (pool.state === 'followed') await change(unit, pool, { refusal });
  else await change(unit, pool, { refusal, state: 'refused' });
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

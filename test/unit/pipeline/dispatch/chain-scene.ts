import { createMemoryLedger, type MemoryLedger } from '../../../../src/adapters/blockchain/memory/memory.js';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { systemNamespace } from '../../../../src/domain/network/identity.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createSilentMetrics } from '../../../../src/adapters/metrics/silent.js';
import type { AttemptResult, RunOperation, Settlement } from '../../../../src/pipeline/operations/attempt.js';
import { type Bell, createBus } from '../../../../src/pipeline/bus.js';
import { networkSource } from '../../../../src/pipeline/state/chain/cursor.js';
import { type Absent, type ChainWork, createChainCalls } from '../../../../src/pipeline/dispatch/chain/chain-call.js';
import { createOperator } from '../../../../src/pipeline/operations/operate.js';
import { callLane, keyLane, newOperation } from '../../../../src/pipeline/operations/operation.js';
import type { Blockchain, ChainCall } from '../../../../src/ports/blockchain.js';
import type { Database } from '../../../../src/ports/database.js';
import type { OperationRow } from '../../../../src/ports/tables/tables.js';
import { aPin, hashOf } from '../../../compliance/blockchain/follower.js';
import { uuid } from '../../../support/fixtures.js';
import { createLife } from '../../../support/pipeline-life.js';
import { rowsOf } from '../../../support/pipelines-check.js';

export const key = `0x${'a'.repeat(40)}`;

/** The operations of a node and its chain, over any number of runs of the node. */
export interface ChainScene {
  readonly ledger: MemoryLedger;
  readonly database: Database;
  /** Inserts operations, numbered from 1; with `hasPins`, those with odd numbers are pins. */
  insert(count: number, options?: { readonly hasPins?: boolean }): Promise<void>;
  operations(): Promise<readonly OperationRow[]>;
  /** Returns the numbers of the calls on the chain, in its order. */
  mined(): readonly number[];
  /** Runs the node until all operations have ended, the node crashes, or `untilMs`. */
  runNode(options?: RunOptions): Promise<void>;
}

export interface RunOptions {
  /** Crashes the node at the given hit of this failpoint. */
  readonly crash?: { readonly failpoint: string; readonly hit: number };
  /** Wraps the chain for this run. */
  readonly wrapChain?: (chain: Blockchain) => Blockchain;
  readonly call?: (number: number) => ChainCall;
  readonly failed?: ChainWork['failed'];
  /** Whether a block has the effect of its call; by default each has. */
  readonly hasEffect?: (block: number) => boolean;
  readonly untilMs?: number;
}

export async function openChainScene(): Promise<ChainScene> {
  const clock = createManualClock();
  const ledger = createMemoryLedger({ clock });
  ledger.addMember({ organization: 'alice', key, node: 'node1', endpoint: '', publicKeyHash: '1'.repeat(64) });
  const database = createMemoryDatabase();
  const { genesisHash } = await ledger.connect({ keys: [] }).status();
  const cursor = { genesisHash, contract: '0x1', block: 0, blockHash: genesisHash };
  await database.transaction((unit) =>
    unit.insert('cursors', [{ namespace: systemNamespace, source: networkSource, ...cursor }]),
  );
  let inserted = 0;

  const operations = (): Promise<readonly OperationRow[]> => rowsOf(database, 'operations');
  const hasEnded = async (): Promise<boolean> =>
    (await operations()).every(({ status }) => status === 'Succeeded' || status === 'Failed');

  return {
    ledger,
    database,
    operations,
    async insert(count, { hasPins = false } = {}) {
      const rows = Array.from({ length: count }, () => {
        inserted += 1;
        const id = uuid(inserted);
        const isPin = hasPins && inserted % 2 === 1;
        const lane = isPin ? keyLane(key) : callLane(key);
        const type = isPin ? 'blockchain_pin_batch' : 'blockchain_invoke';
        const subject = { namespace: 'default', tx: id, batch: '', batchHash: '', signer: key };
        const created = clock.now();
        const transaction = {
          id,
          namespace: 'default',
          type: 'contract_invoke',
          created,
          idempotencyKey: null,
        } as const;
        return {
          operation: newOperation({ id, type, lane, created, subject, input: { number: inserted } }),
          transaction: { ...transaction, blockchainIds: [] },
        };
      });
      await database.transaction(async (unit) => {
        await unit.insert(
          'operations',
          rows.map(({ operation }) => operation),
        );
        await unit.insert(
          'transactions',
          rows.map(({ transaction }) => transaction),
        );
      });
    },
    mined: () => ledger.logs().flatMap((log) => (log.type === 'batch_pin' ? [Number(`0x${log.batchHash}`)] : [])),

    async runNode({
      crash,
      wrapChain = (chain: Blockchain) => chain,
      call = callOf,
      failed,
      hasEffect,
      untilMs = 600_000,
    } = {}) {
      const life = createLife();
      if (crash !== undefined) life.dieAt(crash.failpoint, crash.hit);
      const parts = { database: life.database(database), clock: life.clock(clock), failpoint: life.failpoint };
      const blockchain = life.blockchain(wrapChain(ledger.connect({ keys: [key] })));
      const { callChain } = createChainCalls({ ...parts, blockchain, metrics: createSilentMetrics() });
      const write = async (): Promise<readonly Bell[]> => {
        await parts.failpoint.reach('test.inside-last-unit');
        return [];
      };
      const run: RunOperation = (operation) =>
        callChain(operation, {
          call: async ({ input }) => call(Number(input['number'])),
          ...(failed !== undefined && { failed }),
          ...(hasEffect === undefined ? { write } : { mined: async ({ block }) => effectIn(block, hasEffect) }),
        });
      const types = new Proxy({} as Record<OperationRow['type'], RunOperation>, { get: () => run });
      const defects: Error[] = [];
      const operator = createOperator({
        ...parts,
        types,
        lanes: async () => ({ [keyLane(key)]: 1, [callLane(key)]: 16 }),
        bus: createBus(),
        log: createSilentLog(),
        onDefect: (error) => {
          if (!life.isDead()) defects.push(error);
        },
      });
      operator.start();
      for (let ms = 0; ms < untilMs && !life.isDead() && !(await hasEnded()); ms += 500) await clock.advance(500);
      life.kill();
      for (const defect of defects) throw defect;
    },
  };
}

function effectIn(block: number, hasEffect: (block: number) => boolean): AttemptResult<Settlement> | Absent {
  if (!hasEffect(block)) return { status: 'absent', error: `Nothing in block ${block}.` };
  return { status: 'done', output: { output: { blockNumber: block }, write: () => Promise.resolve([]) } };
}

/** Returns the call of the operation with this number. */
export function callOf(number: number): ChainCall {
  return aPin({ batchHash: hashOf(number) });
}

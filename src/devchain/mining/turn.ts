import type { Block, Chain } from '../engine/chain.js';
import type { Journal } from '../journal/journal.js';
import type { Mining } from '../journal/ledger.js';
import { createReads } from './reads.js';
import { type Change, createTurnRunner, type PendingChange, type TurnRunnerOptions } from './turn-runner.js';
import { RpcError, rpcCodes } from '../rpc/rpc-error.js';

export interface ChainTurns {
  /** Resolves with the response when the effect of the call is on disk. Rejects with RpcError. */
  change(run: Change): Promise<unknown>;
  /** Runs between turns, so it sees only what is on disk. */
  read<T>(run: (chain: Chain) => Promise<T>): Promise<T>;
  /** Returns an id for the current state of the chain, valid until the process ends. */
  snapshot(): Promise<number>;
  /**
   * Restores the chain and its journal to a snapshot; false if there is no such snapshot. Later snapshots are dropped.
   * If reverts are not allowed, rejects with RpcError for a snapshot with later changes.
   */
  revert(snapshot: number): Promise<boolean>;
  /** The last block on disk. */
  head(): Block;
  mining(): Mining;
  /** Waits for the turn in progress; waiting and later calls are refused. */
  stop(): Promise<void>;
}

export interface ChainTurnsOptions extends TurnRunnerOptions {
  /** Called on an unrecoverable error; the process must end. */
  readonly fail: (error: unknown) => void;
  /** Whether a revert may remove changes. */
  readonly allowRevert: boolean;
}

const maxCallsPerTurn = 500;
const maxQueued = 20_000;
const maxSnapshots = 1_000;

/**
 * Creates the queue of turns. A change waits for the turn in progress and is part of the next; a read waits for at most
 * one turn. Nothing of a block is visible before its record is on disk, since a SIGKILL would otherwise act as a
 * reorganisation.
 */
export async function createChainTurns(options: ChainTurnsOptions): Promise<ChainTurns> {
  const runner = await createTurnRunner(options);
  const snapshots = createSnapshots(options.journal);
  const reads = createReads();
  const queue: QueuedChange[] = [];
  let turning: Promise<void> | undefined;
  let isStopped = false;

  function enqueue(run: Change, isExclusive: boolean): Promise<unknown> {
    if (isStopped) return Promise.reject(stopping());
    if (queue.length >= maxQueued)
      return Promise.reject(new RpcError(rpcCodes.limitExceeded, 'Too many calls are waiting. Try again later.'));
    return new Promise((resolve, reject) => {
      queue.push({ run, isExclusive, resolve, reject });
      turning ??= takeTurns();
    });
  }

  async function takeTurns(): Promise<void> {
    while (queue.length > 0 && !isStopped) {
      await reads.hold();
      try {
        queue.unshift(...(await runner.run(nextChanges(queue))));
      } catch (error) {
        end(error);
      }
      reads.release();
    }
    turning = undefined;
  }

  function end(error: unknown): void {
    isStopped = true;
    refuseAll(queue.splice(0));
    options.fail(error);
  }

  return {
    change: (run) => enqueue(run, false),
    async read(run) {
      return reads.run(async () => {
        // Checked after the turn: one that ends the chain may leave a block that is not on disk.
        if (isStopped) throw stopping();
        return run(runner.ledger().chain);
      });
    },
    head: () => runner.head(),
    mining: () => runner.ledger().mining(),
    async snapshot() {
      let id = 0;
      await enqueue(() => {
        id = snapshots.add();
        return Promise.resolve(() => id);
      }, true);
      return id;
    },
    async revert(id) {
      const isReverted = await enqueue(async () => {
        if (!options.allowRevert && snapshots.hasLaterChanges(id)) throw revertRefused();
        const isKnown = await snapshots.cutTo(id);
        if (isKnown) await runner.reopen();
        return () => isKnown;
      }, true);
      return isReverted === true;
    },
    async stop() {
      isStopped = true;
      await turning;
      refuseAll(queue.splice(0));
    },
  };
}

interface QueuedChange extends PendingChange {
  /** Whether it must be the only call of its turn. */
  readonly isExclusive: boolean;
}

function nextChanges(queue: QueuedChange[]): QueuedChange[] {
  const firstExclusive = queue.findIndex(({ isExclusive }) => isExclusive);
  const count = firstExclusive < 0 ? maxCallsPerTurn : Math.max(firstExclusive, 1);
  return queue.splice(0, Math.min(count, maxCallsPerTurn));
}

function refuseAll(changes: readonly PendingChange[]): void {
  for (const { reject } of changes) reject(stopping());
}

function stopping(): RpcError {
  return new RpcError(rpcCodes.internal, 'The chain is stopping.');
}

/**
 * Every node has read every block, and stops permanently if a block disappears, since pins and tokens that it has acted
 * upon may be gone. No rule about the contents of blocks would help: a listener of a node may have followed any
 * contract.
 */
function revertRefused(): RpcError {
  const sentence =
    'evm_revert is refused: nodes have read the blocks since the snapshot, and a node stops when such a block ' +
    'disappears. Run these tests on the in-process network of Hardhat, start over with "stack reset", or, if the ' +
    'network of this stack may stop, set chain.allowRevert to true in stack.yaml.';
  return new RpcError(rpcCodes.refused, sentence);
}

interface Snapshots {
  add(): number;
  hasLaterChanges(id: number): boolean;
  cutTo(id: number): Promise<boolean>;
}

/** Creates the snapshots, which are positions in the journal. */
function createSnapshots(journal: Journal): Snapshots {
  let places: { readonly id: number; readonly sizeBytes: number }[] = [];
  let lastId = 0;
  return {
    add() {
      lastId += 1;
      places = [...places, { id: lastId, sizeBytes: journal.sizeBytes() }].slice(-maxSnapshots);
      return lastId;
    },
    hasLaterChanges: (id) => places.some((place) => place.id === id && place.sizeBytes < journal.sizeBytes()),
    async cutTo(id) {
      const found = places.find((place) => place.id === id);
      if (found === undefined) return false;
      places = places.filter((place) => place.id < id);
      await journal.cut(found.sizeBytes);
      return true;
    },
  };
}

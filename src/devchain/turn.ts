import type { Block, Chain } from './chain.js';
import type { Journal } from './journal.js';
import { type Change, createKeeper, type KeeperOptions, type Task } from './keeper.js';
import type { Mining } from './ledger.js';
import { createReads } from './reads.js';
import { RpcError, rpcCodes } from './rpc-error.js';

export interface Turns {
  /** Resolves with the answer when what the call did is on disk. Rejects with RpcError. */
  change(run: Change): Promise<unknown>;
  /** Runs when no turn does, so it sees nothing that is not on disk. */
  read<T>(run: (chain: Chain) => Promise<T>): Promise<T>;
  /** A name for the chain as it is now, until the process ends. */
  snapshot(): Promise<number>;
  /**
   * Makes the chain and its journal what they were; false if there is no such snapshot. Later ones are gone then.
   * Rejects with RpcError, where a revert may take nothing back, for a snapshot since which something has come.
   */
  revert(snapshot: number): Promise<boolean>;
  /** The last block on disk. */
  head(): Block;
  mining(): Mining;
  /** Lets the turn in progress end; what waits or comes later is refused. */
  stop(): Promise<void>;
}

export interface TurnsOptions extends KeeperOptions {
  /** Takes an error after which the process must not go on. */
  readonly fail: (error: unknown) => void;
  /** Whether a revert may take something back. */
  readonly allowRevert: boolean;
}

const maxCallsPerTurn = 500;
const maxQueued = 20_000;
const maxSnapshots = 1_000;

/**
 * One turn at a time: whatever changes the chain waits for the turn in progress and is then part of the next one,
 * whatever reads waits for no more than one turn (architecture, 12). Nothing of a block is visible before its record is
 * on disk, or a SIGKILL would be a reorganisation.
 */
export async function createTurns(options: TurnsOptions): Promise<Turns> {
  const keeper = await createKeeper(options);
  const snapshots = createSnapshots(options.journal);
  const reads = createReads();
  const queue: Queued[] = [];
  let turning: Promise<void> | undefined;
  let isStopped = false;

  function enqueue(run: Change, isAlone: boolean): Promise<unknown> {
    if (isStopped) return Promise.reject(stopping());
    if (queue.length >= maxQueued) return Promise.reject(new RpcError(rpcCodes.limitExceeded, 'Too many calls wait.'));
    return new Promise((resolve, reject) => {
      queue.push({ run, isAlone, resolve, reject });
      turning ??= takeTurns();
    });
  }

  async function takeTurns(): Promise<void> {
    while (queue.length > 0 && !isStopped) {
      await reads.hold();
      await keeper.keep(nextTasks(queue)).catch(end);
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
      if (isStopped) throw stopping();
      return reads.run(() => run(keeper.ledger().chain));
    },
    head: () => keeper.head(),
    mining: () => keeper.ledger().mining(),
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
        if (!options.allowRevert && snapshots.isPast(id)) throw revertRefused();
        const isKnown = await snapshots.cutTo(id);
        if (isKnown) await keeper.reopen();
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

interface Queued extends Task {
  /** It is a turn of its own. */
  readonly isAlone: boolean;
}

function nextTasks(queue: Queued[]): Task[] {
  const firstAlone = queue.findIndex(({ isAlone }) => isAlone);
  const count = firstAlone < 0 ? maxCallsPerTurn : Math.max(firstAlone, 1);
  return queue.splice(0, Math.min(count, maxCallsPerTurn));
}

function refuseAll(tasks: readonly Task[]): void {
  for (const { reject } of tasks) reject(stopping());
}

function stopping(): RpcError {
  return new RpcError(rpcCodes.internal, 'The chain is stopping.');
}

/**
 * Nodes follow the head, so each has read every block; one that sees a block disappear stops for good, since pins and
 * tokens that it has acted upon may be gone. No rule about the contents of blocks is enough: a listener of a node may
 * have heard any contract.
 */
function revertRefused(): RpcError {
  const sentence =
    'evm_revert is refused: the chain has moved on since the snapshot, the nodes of the network have read what came, ' +
    'and a node whose blocks disappear stops. Run tests with fixtures on the in-process network of Hardhat, begin ' +
    'anew with "stack reset", or set chain.allowRevert in stack.yaml to true on a stack whose network may end.';
  return new RpcError(rpcCodes.refused, sentence);
}

interface Snapshots {
  add(): number;
  /** Whether something has come since a snapshot. */
  isPast(id: number): boolean;
  cutTo(id: number): Promise<boolean>;
}

/** Snapshots are places in the journal. */
function createSnapshots(journal: Journal): Snapshots {
  let places: { readonly id: number; readonly sizeBytes: number }[] = [];
  let lastId = 0;
  return {
    add() {
      lastId += 1;
      places = [...places, { id: lastId, sizeBytes: journal.sizeBytes() }].slice(-maxSnapshots);
      return lastId;
    },
    isPast: (id) => places.some((place) => place.id === id && place.sizeBytes < journal.sizeBytes()),
    async cutTo(id) {
      const found = places.find((place) => place.id === id);
      if (found === undefined) return false;
      places = places.filter((place) => place.id < id);
      await journal.cut(found.sizeBytes);
      return true;
    },
  };
}

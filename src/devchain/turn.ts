import assert from 'node:assert/strict';
import type { Failpoint } from '../ports/failpoint.js';
import type { Log } from '../ports/log.js';
import type { Block, Chain } from './chain.js';
import type { Journal } from './journal.js';
import type { Doings, Ledger, Mining } from './ledger.js';
import { RpcError, rpcCodes } from './rpc-error.js';

/** What a state-changing call does; the function it resolves with gives the answer once the turn has settled. */
export type Change = (ledger: Ledger) => Promise<() => unknown>;

export interface Turns {
  /** Resolves with the answer when what the call did is on disk. Rejects with RpcError. */
  change(run: Change): Promise<unknown>;
  /** Runs when no turn does, so it sees nothing that is not on disk. */
  read<T>(run: (chain: Chain) => Promise<T>): Promise<T>;
  /** A name for the chain as it is now, until the process ends. */
  snapshot(): Promise<number>;
  /** Makes the chain and its journal what they were; false if there is no such snapshot. Later ones are gone then. */
  revert(snapshot: number): Promise<boolean>;
  /** The last block on disk. */
  head(): Block;
  mining(): Mining;
  /** Lets the turn in progress end; what waits or comes later is refused. */
  stop(): Promise<void>;
}

export interface TurnsOptions {
  readonly journal: Journal;
  /** The chain as the journal has it. */
  readonly openLedger: () => Promise<Ledger>;
  /** Tells those who watch. Reads wait for it, so the chain is still as the turn left it. */
  readonly publish: (doings: Doings, chain: Chain) => Promise<void>;
  /** Takes an error after which the process must not go on. */
  readonly fail: (error: unknown) => void;
  readonly failpoint: Failpoint;
  readonly log: Log;
}

interface Task {
  /** True for a task that is a turn of its own. */
  readonly isAlone: boolean;
  readonly run: Change;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

const maxCallsPerTurn = 500;
const maxQueued = 20_000;
const maxSnapshots = 1_000;

/**
 * One turn at a time: run the waiting state-changing calls, append what they did to the journal, one sync, then reply, tell
 * those who watch, and serve the reads that have come meanwhile (architecture, 12). Nothing of a block is visible before its
 * record is on disk, or a SIGKILL would be a reorganisation.
 */
export async function createTurns(options: TurnsOptions): Promise<Turns> {
  const { journal, openLedger, publish, fail, failpoint, log } = options;
  let ledger = await openLedger();
  let head = ledger.chain.head();
  let snapshots: { readonly id: number; readonly sizeBytes: number }[] = [];
  let lastSnapshot = 0;
  const reads = createReads();
  const queue: Task[] = [];
  let turning: Promise<void> | undefined;
  let isStopped = false;

  function enqueue(isAlone: boolean, run: Change): Promise<unknown> {
    if (isStopped) return Promise.reject(stopping());
    if (queue.length >= maxQueued) return Promise.reject(new RpcError(rpcCodes.limitExceeded, 'Too many calls wait.'));
    return new Promise((resolve, reject) => {
      queue.push({ isAlone, run, resolve, reject });
      turning ??= takeTurns();
    });
  }

  async function takeTurns(): Promise<void> {
    while (queue.length > 0 && !isStopped) {
      await reads.hold();
      await takeTurn(nextTasks(queue)).catch(end);
      reads.release();
    }
    turning = undefined;
  }

  function end(error: unknown): void {
    isStopped = true;
    refuseAll(queue.splice(0));
    fail(error);
  }

  async function takeTurn(tasks: readonly Task[]): Promise<void> {
    const done = await keepTurn(tasks).catch((error: unknown) => undo(tasks, error));
    if (done === undefined) return;
    for (const reply of done.replies) reply();
    await publish(done.doings, ledger.chain);
  }

  async function keepTurn(tasks: readonly Task[]): Promise<{ replies: (() => void)[]; doings: Doings }> {
    const answers = await runTasks(tasks, ledger);
    await ledger.settle();
    await failpoint.reach('chain.after-mine');
    const replies = answers.map((answer) => answer());
    const doings = ledger.take();
    if (doings.actions.length > 0) await journal.append({ turn: doings.actions });
    head = ledger.chain.head();
    return { replies, doings };
  }

  /** What is not in the journal did not happen: the chain is made anew from it. */
  async function undo(tasks: readonly Task[], cause: unknown): Promise<undefined> {
    log.error('A turn could not be kept and is undone', { calls: tasks.length, error: cause });
    try {
      await reopen();
    } finally {
      for (const { reject } of tasks)
        reject(new RpcError(rpcCodes.internal, 'The chain could not keep this call. Try again.'));
    }
  }

  async function reopen(): Promise<void> {
    ledger = await openLedger();
    head = ledger.chain.head();
  }

  return {
    change: (run) => enqueue(false, run),
    async read(run) {
      if (isStopped) throw stopping();
      return reads.run(() => run(ledger.chain));
    },
    head: () => head,
    mining: () => ledger.mining(),
    async snapshot() {
      let id = 0;
      await enqueue(true, () => {
        lastSnapshot += 1;
        id = lastSnapshot;
        snapshots = [...snapshots, { id, sizeBytes: journal.sizeBytes() }].slice(-maxSnapshots);
        return Promise.resolve(() => id);
      });
      return id;
    },
    async revert(id) {
      const isReverted = await enqueue(true, async () => {
        const found = snapshots.find((snapshot) => snapshot.id === id);
        if (found === undefined) return () => false;
        snapshots = snapshots.filter((snapshot) => snapshot.id < id);
        await journal.cut(found.sizeBytes);
        await reopen();
        return () => true;
      });
      return isReverted === true;
    },
    async stop() {
      isStopped = true;
      await turning;
      refuseAll(queue.splice(0));
    },
  };
}

function nextTasks(queue: Task[]): Task[] {
  const firstAlone = queue.findIndex(({ isAlone }) => isAlone);
  const count = firstAlone < 0 ? maxCallsPerTurn : Math.max(firstAlone, 1);
  return queue.splice(0, Math.min(count, maxCallsPerTurn));
}

/** For every task, in order, a function that makes the reply ready: it is to be sent when the turn is on disk. */
async function runTasks(tasks: readonly Task[], ledger: Ledger): Promise<(() => () => void)[]> {
  const answers: (() => () => void)[] = [];
  for (const task of tasks) {
    const answer = await task.run(ledger).catch(refusal);
    answers.push(() => {
      try {
        const value = answer();
        return () => task.resolve(value);
      } catch (error) {
        return () => task.reject(error);
      }
    });
  }
  return answers;
}

/** A call that the chain refuses is answered so and changes nothing; anything else is a defect of the turn. */
function refusal(error: unknown): () => never {
  if (!(error instanceof RpcError)) throw error;
  return () => {
    throw error;
  };
}

function stopping(): RpcError {
  return new RpcError(rpcCodes.internal, 'The chain is stopping.');
}

function refuseAll(tasks: readonly Task[]): void {
  for (const { reject } of tasks) reject(stopping());
}

interface Reads {
  run<T>(read: () => Promise<T>): Promise<T>;
  /** Resolves when no read is in progress; further ones wait until `release`. */
  hold(): Promise<void>;
  release(): void;
}

function createReads(): Reads {
  let running = 0;
  let isHeld = false;
  let waiting: (() => void)[] = [];
  let onDrained: (() => void) | undefined;
  return {
    async run(read) {
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await read();
      } finally {
        running -= 1;
        if (running === 0) onDrained?.();
      }
    },
    async hold() {
      assert(!isHeld, 'one turn at a time');
      isHeld = true;
      if (running > 0) await new Promise<void>((resolve) => (onDrained = resolve));
      onDrained = undefined;
    },
    release() {
      isHeld = false;
      // Counted here, so that the next turn waits for them: otherwise a busy chain would never serve a read.
      running += waiting.length;
      const admitted = waiting;
      waiting = [];
      for (const admit of admitted) admit();
    },
  };
}

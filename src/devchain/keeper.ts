import type { Failpoint } from '../ports/failpoint.js';
import type { Log } from '../ports/log.js';
import { isDiskFull } from '../wire/errors/disk.js';
import type { Block, Chain } from './engine/chain.js';
import type { Journal } from './journal/journal.js';
import type { TurnEffects, Ledger } from './journal/ledger.js';
import { RpcError, rpcCodes } from './rpc/rpc-error.js';

/** The work of a state-changing call; the returned function gives the response once the turn is settled. */
export type Change = (ledger: Ledger) => Promise<() => unknown>;

/** A call with its waiting caller. */
export interface Task {
  readonly run: Change;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** Holds the chain together with its journal, so that readers see only what is in both. */
export interface Keeper {
  ledger(): Ledger;
  /** The last block on disk. */
  head(): Block;
  /**
   * Takes a turn: resolves with the tasks that it had no room for, when every other is answered. Rejects, with all
   * tasks answered, if the chain cannot continue.
   */
  keep<Waiting extends Task>(tasks: readonly Waiting[]): Promise<readonly Waiting[]>;
  /** Rebuilds the chain from the journal. */
  reopen(): Promise<void>;
}

export interface KeeperOptions {
  readonly journal: Journal;
  /** Builds the chain from the journal. */
  readonly openLedger: () => Promise<Ledger>;
  /** Notifies subscribers. Reads wait for it, so the chain is still as the turn left it. */
  readonly publish: (effects: TurnEffects, chain: Chain) => Promise<void>;
  readonly failpoint: Failpoint;
  readonly log: Log;
}

/**
 * A turn takes no further call once it has recorded so much. It is more than a request can hold, so the transactions of
 * a batch can share a block, and far less than the longest entry of the journal.
 */
const maxRecordedBytes = 4 * 1_024 * 1_024;
const notKept = 'The chain could not keep this call. Try again.';
const diskFull = 'The disk is full, so the chain can keep nothing. Free some space and try again.';

/**
 * Creates the keeper. In a turn it runs the calls, appends their actions to the journal with one sync, then replies and
 * notifies subscribers. Actions that are not in the journal did not happen: if a turn cannot be journalled, the chain
 * is rebuilt from the journal.
 */
export async function createKeeper(options: KeeperOptions): Promise<Keeper> {
  const { journal, openLedger, publish, failpoint, log } = options;
  let ledger = await openLedger();
  let head = ledger.chain.head();

  async function tryKeep(tasks: readonly Task[]): Promise<Kept> {
    const answers = await runTasks(tasks, ledger);
    await ledger.settle();
    await failpoint.reach('chain.after-mine');
    const replies = answers.map((answer) => answer());
    const effects = ledger.take();
    if (effects.actions.length > 0) await journal.append({ turn: effects.actions });
    head = ledger.chain.head();
    return { replies, effects };
  }

  async function undo(tasks: readonly Task[], cause: unknown): Promise<undefined> {
    log.error('A turn could not be kept and is undone', { calls: tasks.length, error: cause });
    try {
      await reopen();
    } finally {
      const error = new RpcError(rpcCodes.internal, isDiskFull(cause) ? diskFull : notKept);
      for (const { reject } of tasks) reject(error);
    }
  }

  async function reopen(): Promise<void> {
    ledger = await openLedger();
    head = ledger.chain.head();
  }

  return {
    ledger: () => ledger,
    head: () => head,
    async keep(tasks) {
      const done = await tryKeep(tasks).catch((error: unknown) => undo(tasks, error));
      if (done === undefined) return [];
      for (const reply of done.replies) reply();
      await publish(done.effects, ledger.chain);
      return tasks.slice(done.replies.length);
    },
    reopen,
  };
}

/** A turn that is on disk. */
interface Kept {
  /** One for each task that was run. */
  readonly replies: readonly (() => void)[];
  readonly effects: TurnEffects;
}

/**
 * Runs the tasks in order while the turn has room; for each, returns the function that prepares the reply, which is
 * sent once the turn is on disk.
 */
async function runTasks(tasks: readonly Task[], ledger: Ledger): Promise<(() => () => void)[]> {
  const answers: (() => () => void)[] = [];
  for (const task of tasks) {
    if (ledger.recordedBytes() >= maxRecordedBytes) break;
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

/** A call that the chain refuses gets that error and changes nothing; any other error is a defect of the turn. */
function refusal(error: unknown): () => never {
  if (!(error instanceof RpcError)) throw error;
  return () => {
    throw error;
  };
}

import type { Failpoint } from '../../ports/failpoint.js';
import type { Log } from '../../ports/log.js';
import { isDiskFull } from '../../wire/errors/disk.js';
import type { Block, Chain } from '../engine/chain.js';
import type { Journal } from '../journal/journal.js';
import type { Ledger, TurnEffects } from '../journal/ledger.js';
import { RpcError, rpcCodes } from '../rpc/rpc-error.js';

/** Executes a state-changing call; the returned function gives the response once the turn is settled. */
export type Change = (ledger: Ledger) => Promise<() => unknown>;

/** A state-changing call whose caller waits for the response. */
export interface PendingChange {
  readonly run: Change;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** Runs turns on the chain and its journal. Readers see only blocks that are in both. */
export interface TurnRunner {
  ledger(): Ledger;
  /** The last block on disk. */
  head(): Block;
  /**
   * Runs a turn. Resolves, when all other changes are answered, with those that it had no room for. Rejects, with all
   * changes answered, if the chain cannot continue.
   */
  run<Waiting extends PendingChange>(changes: readonly Waiting[]): Promise<readonly Waiting[]>;
  /** Rebuilds the chain from the journal. */
  reopen(): Promise<void>;
}

export interface TurnRunnerOptions {
  readonly journal: Journal;
  /** Builds the chain from the journal. */
  readonly openLedger: () => Promise<Ledger>;
  /** Notifies subscribers. Reads and further turns wait until it resolves. */
  readonly publish: (effects: TurnEffects, chain: Chain) => Promise<void>;
  readonly failpoint: Failpoint;
  readonly log: Log;
}

/**
 * A turn accepts no further call once it has recorded this much. It is more than a request can hold, so the
 * transactions of a batch can share a block, and far less than the longest entry of the journal.
 */
const maxRecordedBytes = 4 * 1_024 * 1_024;
const notRecorded = 'The chain could not record this call. Try again.';
const diskFull = 'The disk is full, so the chain could not record this call. Free some space and try again.';

/**
 * Creates the runner. A turn executes the calls, appends their actions to the journal with one sync, then replies and
 * notifies subscribers. Actions that are not in the journal did not happen: if a turn cannot be journalled, the chain
 * is rebuilt from the journal.
 */
export async function createTurnRunner(options: TurnRunnerOptions): Promise<TurnRunner> {
  const { journal, openLedger, publish, failpoint, log } = options;
  let ledger = await openLedger();
  let head = ledger.chain.head();

  async function tryTurn(changes: readonly PendingChange[]): Promise<RecordedTurn> {
    const answers = await execute(changes, ledger);
    await ledger.settle();
    await failpoint.reach('chain.after-mine');
    const replies = answers.map((answer) => answer());
    const effects = ledger.take();
    if (effects.actions.length > 0) await journal.append({ turn: effects.actions });
    head = ledger.chain.head();
    return { replies, effects };
  }

  async function undo(changes: readonly PendingChange[], cause: unknown): Promise<undefined> {
    log.error('A turn could not be recorded and is undone', { calls: changes.length, error: cause });
    try {
      await reopen();
    } finally {
      const error = new RpcError(rpcCodes.internal, isDiskFull(cause) ? diskFull : notRecorded);
      for (const { reject } of changes) reject(error);
    }
  }

  async function reopen(): Promise<void> {
    ledger = await openLedger();
    head = ledger.chain.head();
  }

  return {
    ledger: () => ledger,
    head: () => head,
    async run(changes) {
      const done = await tryTurn(changes).catch((error: unknown) => undo(changes, error));
      if (done === undefined) return [];
      for (const reply of done.replies) reply();
      await publish(done.effects, ledger.chain);
      return changes.slice(done.replies.length);
    },
    reopen,
  };
}

/** A turn that is on disk. */
interface RecordedTurn {
  /** One for each change that the turn had room for, in order. */
  readonly replies: readonly (() => void)[];
  readonly effects: TurnEffects;
}

/**
 * Executes the changes in order while the turn has room. Returns for each the function that prepares its reply, which
 * is sent once the turn is on disk.
 */
async function execute(changes: readonly PendingChange[], ledger: Ledger): Promise<(() => () => void)[]> {
  const answers: (() => () => void)[] = [];
  for (const change of changes) {
    if (ledger.recordedBytes() >= maxRecordedBytes) break;
    const answer = await change.run(ledger).catch(refusal);
    answers.push(() => {
      try {
        const value = answer();
        return () => change.resolve(value);
      } catch (error) {
        return () => change.reject(error);
      }
    });
  }
  return answers;
}

/** A call that the chain refuses gets that error and changes nothing; any other error fails the turn. */
function refusal(error: unknown): () => never {
  if (!(error instanceof RpcError)) throw error;
  return () => {
    throw error;
  };
}

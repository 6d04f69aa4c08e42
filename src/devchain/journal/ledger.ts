import type { Block, Chain } from '../engine/chain.js';
import { createClock } from '../mining/clock.js';
import type { Action } from './journal.js';
import { createMiner } from '../mining/miner.js';
import { createPool } from '../mining/pool.js';
import { repeatOnChain } from './repeat.js';
import type { RpcError } from '../rpc/rpc-error.js';

/** Whether transactions are mined on arrival, and the interval of additional blocks (0 = none). */
export interface Mining {
  readonly auto: boolean;
  readonly intervalMs: number;
}

/** The effects of a turn, for the journal and for subscribers. */
export interface TurnEffects {
  readonly actions: readonly Action[];
  readonly blocks: readonly Block[];
  /** Hashes of the accepted transactions. */
  readonly accepted: readonly string[];
}

/** The chain with its clock and mining mode: everything that the journal can restore. */
export interface Ledger {
  readonly chain: Chain;
  mining(): Mining;
  /** Accepts a signed transaction; resolves with its hash. Throws RpcError. */
  send(raw: string): Promise<string>;
  /** The reason why a transaction accepted by `send` could not be mined, once the turn is settled. */
  refusal(hash: string): RpcError | undefined;
  /** Mines `count` blocks, the first at `firstTime` or the due time, each further one `spacingSeconds` later. */
  mine(count: number, spacingSeconds: number, firstTime?: number): Promise<void>;
  /** Advances the clock; returns the total offset. */
  increaseTime(seconds: number): number;
  setNextTime(time: number): void;
  setMining(mining: Mining): void;
  /** Ends a turn: mines waiting transactions, if that is the mode. */
  settle(): Promise<void>;
  /** The length in the journal of the actions recorded since the last `take`. */
  recordedBytes(): number;
  /** Returns the effects since the last call. */
  take(): TurnEffects;
  /** Repeats actions of the journal. Throws Error if the result differs. */
  repeat(actions: readonly Action[]): Promise<void>;
}

export interface LedgerOptions {
  readonly chain: Chain;
  readonly mining: Mining;
  /** The time of day in milliseconds. It only determines block times. */
  readonly nowMs: () => number;
}

/** Creates the ledger, which runs state-changing calls on a chain and records their effects. */
export function createLedger({ chain, nowMs, ...initial }: LedgerOptions): Ledger {
  let { mining } = initial;
  let done = noEffects();
  const record = (action: Action): void => {
    done.actions.push(action);
    done.bytes += JSON.stringify(action).length + 1;
  };
  const clock = createClock(chain, nowMs, record);
  const pool = createPool(chain, record);
  const miner = createMiner(pool, async () => {
    const block = await chain.mine(clock.dueTime());
    record({ do: 'mine', number: block.number, time: block.time, hash: block.hash });
    done.blocks.push(block);
    clock.blockMined();
    return block;
  });

  return {
    chain,
    mining: () => mining,
    async send(raw) {
      const hash = await pool.add(raw);
      done.accepted.push(hash);
      return hash;
    },
    refusal: (hash) => miner.refusal(hash),
    async mine(count, spacingSeconds, firstTime) {
      if (firstTime !== undefined) clock.setNextTime(firstTime);
      for (let made = 0; made < count; made += 1) {
        if (made > 0) clock.setNextTime(chain.head().time + spacingSeconds);
        await miner.mine();
      }
    },
    increaseTime: (seconds) => clock.increase(seconds),
    setNextTime: (time) => clock.setNextTime(time),
    setMining(to) {
      // Transactions that waited while mining was paused are mined at the end of this turn.
      if (to.auto && !mining.auto) done.fresh.push(...pool.raws().keys());
      mining = to;
      record({ do: 'mining', ...to });
    },
    async settle() {
      if (mining.auto) await miner.mineAll([...done.fresh, ...done.accepted]);
    },
    recordedBytes: () => done.bytes,
    take() {
      const { actions, blocks, accepted } = done;
      done = noEffects();
      miner.forgetRefusals();
      return { actions, blocks, accepted };
    },
    async repeat(actions) {
      for (const action of actions) {
        if (action.do === 'mining') mining = { auto: action.auto, intervalMs: action.intervalMs };
        else if (action.do === 'clock') clock.restore(action);
      }
      await repeatOnChain(actions, chain, pool);
    },
  };
}

function noEffects(): { actions: Action[]; bytes: number; blocks: Block[]; accepted: string[]; fresh: string[] } {
  return { actions: [], bytes: 0, blocks: [], accepted: [], fresh: [] };
}

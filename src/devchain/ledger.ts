import type { Block, Chain } from './chain.js';
import type { Action } from './journal.js';
import { createPool, type Pool } from './pool.js';
import { RpcError, rpcCodes } from './rpc-error.js';

/** Whether transactions are mined as they come, and how often a block is made regardless (0 = never). */
export interface Mining {
  readonly auto: boolean;
  readonly intervalMs: number;
}

/** What a turn did: for the journal, and for those who watch. */
export interface Doings {
  readonly actions: readonly Action[];
  readonly blocks: readonly Block[];
  /** Hashes of the transactions that were accepted. */
  readonly accepted: readonly string[];
}

/** The chain with its clock and mining mode: everything that the journal can bring back. */
export interface Ledger {
  readonly chain: Chain;
  mining(): Mining;
  /** Takes in a signed transaction; its hash. Throws RpcError. */
  send(raw: string): Promise<string>;
  /** Why a transaction that `send` took could not be mined, once the turn has settled. */
  refusal(hash: string): RpcError | undefined;
  /** Makes `count` blocks, the first at `firstTime` or when it is due, each further one `spacingSeconds` later. */
  mine(count: number, spacingSeconds: number, firstTime?: number): Promise<void>;
  /** Moves the clock ahead; by how much in all. */
  increaseTime(seconds: number): number;
  setNextTime(time: number): void;
  setMining(mining: Mining): void;
  /** Ends a turn: mines what waits, if that is the mode. */
  settle(): Promise<void>;
  /** What was done since it was last asked. */
  take(): Doings;
  /** Does again what the journal says. Throws Error when something else comes of it. */
  repeat(action: Action): Promise<void>;
}

export interface LedgerOptions {
  readonly chain: Chain;
  readonly mining: Mining;
  /** The time of day in milliseconds. It only gives blocks their time. */
  readonly nowMs: () => number;
}

const maxTime = 2 ** 40;

/**
 * A block's time is what was asked for it, else the time of day plus the offset of the chain's clock, but never before the
 * block it follows. Several blocks may have one time: a busy chain must not run ahead of the day.
 */
export function createLedger(options: LedgerOptions): Ledger {
  const { chain, nowMs } = options;
  let { mining } = options;
  let clock: { offsetSeconds: number; nextTime: number | null } = { offsetSeconds: 0, nextTime: null };
  let actions: Action[] = [];
  let blocks: Block[] = [];
  let accepted: string[] = [];
  const pool: Pool = createPool(chain, (action) => actions.push(action), mineBlock);

  const today = (): number => Math.floor(nowMs() / 1_000);
  const dueTime = (): number => clock.nextTime ?? Math.max(chain.head().time, today() + clock.offsetSeconds);

  function setClock(to: { offsetSeconds: number; nextTime: number | null }): void {
    if (to.offsetSeconds === clock.offsetSeconds && to.nextTime === clock.nextTime) return;
    clock = to;
    actions.push({ do: 'clock', ...to });
  }

  async function mineBlock(): Promise<Block> {
    const block = await chain.mine(dueTime());
    actions.push({ do: 'mine', number: block.number, time: block.time, hash: block.hash });
    blocks.push(block);
    // From a time that was asked for, the chain's clock goes on.
    if (clock.nextTime !== null) setClock({ offsetSeconds: clock.nextTime - today(), nextTime: null });
    return block;
  }

  function setNextTime(time: number): void {
    const { time: headTime } = chain.head();
    if (time < headTime || time > maxTime) {
      throw new RpcError(
        rpcCodes.invalidParams,
        `The next block's time must be ${headTime} to ${maxTime}, not ${time}.`,
      );
    }
    setClock({ ...clock, nextTime: time });
  }

  return {
    chain,
    mining: () => mining,
    async send(raw) {
      const hash = await pool.add(raw);
      accepted.push(hash);
      return hash;
    },
    refusal: (hash) => pool.refusal(hash),
    async mine(count, spacingSeconds, firstTime) {
      if (firstTime !== undefined) setNextTime(firstTime);
      for (let made = 0; made < count; made += 1) {
        if (made > 0) setNextTime(chain.head().time + spacingSeconds);
        await pool.mine();
      }
    },
    increaseTime(seconds) {
      const offsetSeconds = clock.offsetSeconds + seconds;
      if (today() + offsetSeconds > maxTime)
        throw new RpcError(rpcCodes.invalidParams, 'The clock cannot go that far ahead.');
      setClock({ ...clock, offsetSeconds });
      return offsetSeconds;
    },
    setNextTime,
    setMining(to) {
      if (to.auto && !mining.auto) pool.considerAll();
      mining = to;
      actions.push({ do: 'mining', ...to });
    },
    async settle() {
      if (mining.auto) await pool.mineFresh();
    },
    take() {
      const doings = { actions, blocks, accepted };
      [actions, blocks, accepted] = [[], [], []];
      pool.forgetRefusals();
      return doings;
    },
    async repeat(action) {
      switch (action.do) {
        case 'accept':
          await pool.add(action.raw);
          break;
        case 'drop':
          await pool.drop(action.hash);
          break;
        case 'mine': {
          const block = await chain.mine(action.time);
          pool.leave(block);
          if (block.number !== action.number || block.hash !== action.hash) throw differs(action, block);
          break;
        }
        case 'clock':
          clock = { offsetSeconds: action.offsetSeconds, nextTime: action.nextTime };
          break;
        case 'mining':
          mining = { auto: action.auto, intervalMs: action.intervalMs };
      }
      actions = [];
      pool.considerNone();
    },
  };
}

function differs(expected: { readonly number: number; readonly hash: string }, actual: Block): Error {
  return new Error(
    `Block ${expected.number} of the journal has the hash ${expected.hash}; doing it again gave block ${actual.number} with ` +
      `${actual.hash}. Was the chain made with another version, genesis time or set of accounts? Nothing was changed.`,
  );
}

import type { Call, Chain } from '../engine/chain.js';
import { gasLimitOf } from '../engine/gas-limit.js';
import type { Action } from './journal.js';
import type { Pool } from '../mining/pool.js';
import { RpcError } from '../rpc/rpc-error.js';

/** Actions to repeat in one request: a request to the engine costs as much as a small block. */
export interface ActionBatch {
  add(action: Action): void;
  isFull(): boolean;
  /** Returns all actions and empties the batch. */
  take(): readonly Action[];
}

const maxActions = 256;
/** The engine keeps every step until a request is answered: 10 MB for each million of gas. */
const maxGas = 8_000_000;

export function createActionBatch(): ActionBatch {
  let actions: Action[] = [];
  let gas = 0;
  return {
    add(action) {
      actions.push(action);
      if (action.do === 'accept') gas += gasLimitOf(action.raw);
    },
    isFull: () => actions.length >= maxActions || gas >= maxGas,
    take() {
      const taken = actions;
      actions = [];
      gas = 0;
      return taken;
    },
  };
}

/**
 * Repeats actions on the chain and compares the hash of the last block, which commits to all blocks before it.
 *
 * @throws Error naming the first block that differs
 */
export async function repeatOnChain(actions: readonly Action[], chain: Chain, pool: Pool): Promise<void> {
  const called = actions.flatMap((action) => {
    const call = callOf(action);
    return call === undefined ? [] : [{ action, call }];
  });
  if (called.length === 0) return;
  const blocks = actions.filter((action) => action.do === 'mine');
  try {
    const answers = await chain.repeat(called.map(({ call }) => call));
    const accepted = called.flatMap(({ action }, index) =>
      action.do === 'accept' ? [[String(answers[index]), action.raw] as const] : [],
    );
    pool.restore(accepted, await chain.allWaiting());
  } catch (error) {
    // A block that differs can also make a later call fail.
    if (error instanceof RpcError) await compareAll(blocks, chain);
    throw error;
  }
  const last = blocks.at(-1);
  const head = chain.head();
  if (last !== undefined && (head.number !== last.number || head.hash !== last.hash)) {
    await compareAll(blocks, chain);
    throw differs(last, `block ${head.number} with ${head.hash}`);
  }
}

function callOf(action: Action): Call | undefined {
  switch (action.do) {
    case 'accept':
      return { method: 'eth_sendRawTransaction', params: [action.raw] };
    case 'drop':
      return { method: 'hardhat_dropTransaction', params: [action.hash] };
    case 'mine':
      return { method: 'evm_mine', params: [action.time] };
    case 'clock':
    case 'mining':
      return undefined;
  }
}

type MinedBlock = Extract<Action, { do: 'mine' }>;

async function compareAll(blocks: readonly MinedBlock[], chain: Chain): Promise<void> {
  for (const block of blocks) {
    const hash = await chain.hashOf(block.number);
    if (hash !== block.hash) throw differs(block, hash === undefined ? 'none' : `block ${block.number} with ${hash}`);
  }
}

function differs({ number, hash }: MinedBlock, actual: string): Error {
  return new Error(
    `Block ${number} of the journal has the hash ${hash}, but the replay produced ${actual}. ` +
      'The chain may have been created by another version of Parley. Nothing was changed.',
  );
}

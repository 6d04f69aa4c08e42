import { ChainError } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import { readObject } from './logs/header.js';
import type { Linker } from './connection/link.js';
import { RpcError } from './connection/rpc-error.js';

/** Maximum fees, in wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Limits, in wei per gas, for the fees that the chain suggests; absent: no limit. */
export interface FeeLimits {
  readonly maxFeeLimit?: bigint | undefined;
  readonly maxTipLimit?: bigint | undefined;
}

/**
 * Fixed instead of queried per call: a chain charges its base fee, not the maximum. For a pin of 2,000 contexts the
 * maximum to be covered in advance is 0.42 ether.
 */
export const defaultFees: Fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

/** Fees change from block to block, so a suggestion is used no longer than this. */
const maxAgeMs = 2_000;
const historyBlocks = 5;
const medianPercent = 50;
/** Six full blocks in a row multiply the base fee by two. */
const headroom = 2n;

export interface FeesOptions {
  readonly linker: Linker;
  readonly clock: Clock;
  readonly fees: Fees | FeeLimits;
}

/** Creates the function that resolves with the fees for a call that is signed now. */
export function createFees({ linker, clock, fees }: FeesOptions): () => Promise<Fees> {
  if ('maxFeePerGas' in fees) return async () => fees;
  const limits = fees;
  let known: { readonly fees: Promise<Fees>; readonly atMs: number } | undefined;
  return async () => {
    if (known !== undefined && clock.monotonicMs() - known.atMs < maxAgeMs) return known.fees;
    const asked = { fees: suggest(linker, limits), atMs: clock.monotonicMs() };
    known = asked;
    try {
      return await asked.fees;
    } catch (error) {
      if (known === asked) known = undefined;
      throw error;
    }
  };
}

async function suggest(linker: Linker, { maxFeeLimit, maxTipLimit }: FeeLimits): Promise<Fees> {
  const { connection } = await linker.link();
  const [history, suggested] = await Promise.all([
    connection.request('eth_feeHistory', [`0x${historyBlocks.toString(16)}`, 'latest', [medianPercent]]),
    connection.request('eth_maxPriorityFeePerGas', []).catch((error: unknown) => {
      // A chain without this method still reports the rewards of its last blocks.
      if (error instanceof RpcError) return '0x0';
      throw error;
    }),
  ]);
  const { baseFeePerGas, reward } = readObject(history);
  const rewards = Array.isArray(reward) ? reward.flat().map(readAmount) : [];
  const next = readAmount(Array.isArray(baseFeePerGas) ? baseFeePerGas.at(-1) : undefined);
  const tip = least(largest([readAmount(suggested), ...rewards]), maxTipLimit);
  const maxFeePerGas = least(headroom * next + tip, maxFeeLimit);
  return { maxFeePerGas, maxPriorityFeePerGas: least(tip, maxFeePerGas) };
}

function largest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((one, other) => (one > other ? one : other), 0n);
}

function least(amount: bigint, limit: bigint | undefined): bigint {
  return limit !== undefined && amount > limit ? limit : amount;
}

/** Reads an amount of wei, which may be larger than a safe number. */
function readAmount(answer: unknown): bigint {
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,64}$/i.test(answer)) return BigInt(answer);
  throw new ChainError('unreachable', `The chain answered ${String(answer)} where an amount was expected.`);
}

const weiPerGwei = 1e9;

/** Limits in wei from settings in gwei. */
export function feeLimitsOf({ maxGwei, tipGwei }: { readonly maxGwei?: number; readonly tipGwei?: number }): FeeLimits {
  return { maxFeeLimit: weiOf(maxGwei), maxTipLimit: weiOf(tipGwei) };
}

function weiOf(gwei: number | undefined): bigint | undefined {
  return gwei === undefined ? undefined : BigInt(Math.round(gwei * weiPerGwei));
}

/** Calls a method of a chain. Throws Error if the chain refuses. */
export type Rpc = (method: string, ...parameters: readonly unknown[]) => Promise<unknown>;

/** Maximum fees, in wei per gas. */
export interface ChainFees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface FeeSettings {
  readonly maxGwei?: number;
  readonly tipGwei?: number;
}

const weiPerGwei = 1e9;

/**
 * Reads the fees for a transaction that is signed now: twice the next base fee plus the suggested tip, limited by the
 * settings.
 */
export async function readChainFees(rpc: Rpc, { maxGwei, tipGwei }: FeeSettings): Promise<ChainFees> {
  const history = await rpc('eth_feeHistory', '0x5', 'latest', [50]);
  // A chain without this method still has the rewards of its last blocks.
  const suggested = await rpc('eth_maxPriorityFeePerGas').catch(() => '0x0');
  const rewards = amountsIn(history, 'reward');
  const base = amountsIn(history, 'baseFeePerGas').at(-1);
  if (base === undefined) throw new Error('The chain gave an unexpected answer to eth_feeHistory.');
  const tips = [...rewards, ...amounts([suggested])];
  const tip = least(
    tips.reduce((one, other) => (one > other ? one : other), 0n),
    tipGwei,
  );
  const maxFeePerGas = least(2n * base + tip, maxGwei);
  return { maxFeePerGas, maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas };
}

function least(amount: bigint, gwei: number | undefined): bigint {
  const limit = gwei === undefined ? amount : BigInt(Math.round(gwei * weiPerGwei));
  return amount > limit ? limit : amount;
}

function amountsIn(value: unknown, member: string): bigint[] {
  const found: unknown = value instanceof Object ? Reflect.get(value, member) : undefined;
  return Array.isArray(found) ? amounts(found.flat()) : [];
}

function amounts(values: readonly unknown[]): bigint[] {
  return values.flatMap((value) => (typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? [BigInt(value)] : []));
}

/** An amount of wei in ether, rounded up to six digits. */
export function etherText(wei: bigint): string {
  const micro = (wei + 999_999_999_999n) / 1_000_000_000_000n;
  const text = `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, '0')}`;
  return text.replace(/\.?0+$/, '');
}

import type { Accounts } from '../../keys/accounts.js';
import type { ChainFees, Rpc } from './fees.js';

/** The gas of a contract's deployment, the maximum for an entry in the registry, and that of an ordinary batch. */
const deploymentGas = 6_000_000n;
const memberGas = 700_000n;
const batchGas = 150_000n;
/** A key is funded with the cost of this many batches. */
const grantedBatches = 1_000n;
/** A key that cannot pay for this many batches must be funded. */
const neededBatches = 20n;

/** A key that cannot pay for this many batches is reported. */
const lowBatches = 100;

/** A key that must be funded. */
export interface Need {
  readonly owner: string;
  readonly address: string;
  readonly balance: bigint;
  /** The amount to send it, in wei. */
  readonly amount: bigint;
}

/** A key that can pay for few more batches. */
export interface LowKey {
  readonly owner: string;
  readonly address: string;
  readonly batches: number;
}

/** The keys of parties that can pay for fewer than 100 more batches at the current fees; none if batches are free. */
export async function readLow({ rpc, fees, accounts }: Omit<NeedsOptions, 'work'>): Promise<LowKey[]> {
  const price = batchGas * fees.maxFeePerGas;
  if (price === 0n) return [];
  const keys = await Promise.all(
    Object.entries(accounts.parties).map(async ([owner, { signing: address }]) => {
      return { owner, address, batches: Number((await balanceOf(rpc, address)) / price) };
    }),
  );
  return keys.filter(({ batches }) => batches < lowBatches);
}

export interface NeedsOptions {
  readonly rpc: Rpc;
  readonly fees: ChainFees;
  readonly accounts: Accounts;
  /** Number of contracts to deploy, and of entries to add to the registry. */
  readonly work: { readonly deployments: number; readonly members: number };
}

/** The keys of a stack that cannot pay for their work, the operator's first. */
export async function readNeeds({ rpc, fees, accounts, work }: NeedsOptions): Promise<Need[]> {
  const price = fees.maxFeePerGas;
  const ofOperator = (deploymentGas * BigInt(work.deployments) + memberGas * BigInt(work.members)) * price;
  const wanted = [
    // Twice, since fees may rise before the transactions are sent.
    { owner: 'operator', address: accounts.operator, least: ofOperator, grant: 2n * ofOperator },
    ...Object.entries(accounts.parties).map(([owner, { signing }]) => ({
      owner,
      address: signing,
      least: batchGas * neededBatches * price,
      grant: batchGas * grantedBatches * price,
    })),
  ];
  const balances = await Promise.all(wanted.map(({ address }) => balanceOf(rpc, address)));
  return wanted.flatMap(({ owner, address, least, grant }, index) => {
    const balance = balances[index] ?? 0n;
    return balance >= least ? [] : [{ owner, address, balance, amount: grant - balance }];
  });
}

/** The balance of an address, in wei. */
export async function balanceOf(rpc: Rpc, address: string): Promise<bigint> {
  const answer = await rpc('eth_getBalance', address, 'latest');
  if (typeof answer === 'string' && /^0x[0-9a-f]+$/i.test(answer)) return BigInt(answer);
  throw new Error('The chain gave an unexpected answer to eth_getBalance.');
}

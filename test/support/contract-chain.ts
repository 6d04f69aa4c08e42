import {
  ContractFactory,
  Interface,
  type LogDescription,
  type Result,
  type TransactionRequest,
  type Wallet,
  getAddress,
} from 'ethers';
import { type Artifact, readArtifact } from '../../contracts/build.js';
import type { Chain } from '../../src/devchain/engine/chain.js';
import type { RpcError } from '../../src/devchain/rpc/rpc-error.js';
import { newChain, transfer } from '../unit/devchain/support.js';

/** A receipt as the chain returns it. */
export interface RawReceipt {
  readonly status: string;
  readonly gasUsed: string;
  readonly blockNumber: string;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly contractAddress: string | null;
  readonly logs: readonly {
    readonly address: string;
    readonly topics: readonly string[];
    readonly data: string;
    readonly logIndex: string;
  }[];
}

/** The result of a call. */
export interface Called {
  /** The contract's own logs, decoded, with their indexes. */
  readonly events: readonly (LogDescription & { readonly logIndex: number })[];
  readonly gasUsed: number;
  readonly receipt: RawReceipt;
}

/** A contract on a test's chain. */
export interface Deployed {
  readonly address: string;
  readonly abi: Interface;
  /** Mines a call in its own block. Throws Error with the contract's error, such as `NotCreator`. */
  send(from: Wallet, name: string, ...values: unknown[]): Promise<Called>;
  /** Calls a view. Throws like `send`. */
  get(name: string, ...values: unknown[]): Promise<unknown>;
  /** The same contract, or one at another address, with another interface. */
  at(abi: object[] | Interface, address?: string): Deployed;
}

/** A chain in memory on which contracts are deployed and called, each call in its own block. */
export interface ContractChain {
  readonly chain: Chain;
  deploy(from: Wallet, artifact: Pick<Artifact, 'abi' | 'bytecode'>, ...values: unknown[]): Promise<Deployed>;
  /** Mines a transaction in its own block, with as much gas as allowed; returns its receipt, reverted or not. */
  mine(from: Wallet, transaction: TransactionRequest): Promise<RawReceipt>;
}

/** The gas limit of one transaction (EIP-7825). */
const maxGas = 16_777_216n;

export async function openContractChain(): Promise<ContractChain> {
  const chain = await newChain();
  const nonces = new Map<string, number>();

  const mine: ContractChain['mine'] = async (from, transaction) => {
    const nonce = nonces.get(from.address) ?? 0;
    nonces.set(from.address, nonce + 1);
    const hash = await chain.accept(await transfer(from, nonce, { gasLimit: maxGas, ...transaction }));
    await chain.mine(chain.head().time);
    return JSON.parse(await chain.ask('eth_getTransactionReceipt', [hash])) as RawReceipt;
  };

  const ask = async (abi: Interface, call: Readonly<Record<string, string>>): Promise<string> => {
    try {
      return JSON.parse(await chain.ask('eth_call', [call, 'latest'])) as string;
    } catch (error) {
      const { data } = error as RpcError;
      const revert = typeof data === 'string' ? abi.parseError(data) : null;
      throw new Error(revert?.name ?? 'reverted without a reason', { cause: error });
    }
  };

  const deployed = (address: string, abi: Interface): Deployed => ({
    address,
    abi,
    send: async (from, name, ...values) => {
      const data = abi.encodeFunctionData(name, values);
      await ask(abi, { from: from.address, to: address, data });
      const receipt = await mine(from, { to: address, data });
      const events = receipt.logs.flatMap((log) => {
        const event = abi.parseLog({ topics: [...log.topics], data: log.data });
        const isOwn = log.address.toLowerCase() === address.toLowerCase();
        return event === null || !isOwn ? [] : [Object.assign(event, { logIndex: Number(log.logIndex) })];
      });
      return { events, gasUsed: Number(receipt.gasUsed), receipt };
    },
    get: async (name, ...values) => {
      const data = abi.encodeFunctionData(name, values);
      const result: Result = abi.decodeFunctionResult(name, await ask(abi, { to: address, data }));
      return result[0];
    },
    at: (other, elsewhere = address) => deployed(elsewhere, other instanceof Interface ? other : new Interface(other)),
  });

  return {
    chain,
    mine,
    deploy: async (from, { abi, bytecode }, ...values) => {
      const contract = new Interface(abi as object[]);
      const { data } = await new ContractFactory(contract, bytecode).getDeployTransaction(...values);
      const receipt = await mine(from, { to: null, data });
      return deployed(getAddress(receipt.contractAddress ?? ''), contract);
    },
  };
}

/** Reads a committed compiled contract. */
export async function artifactOf(name: string): Promise<Artifact> {
  return JSON.parse(await readArtifact(`${name}.json`)) as Artifact;
}

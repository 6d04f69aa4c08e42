import type { ChainFees } from '../engines/chain/fees.js';
import { getCreateAddress, Interface, type InterfaceAbi, Wallet, keccak256 } from 'ethers';

export interface Unsigned {
  readonly nonce: number;
  /** Absent for a deployment. */
  readonly to?: string;
  readonly data: string;
  readonly gas: bigint;
  /** Wei; absent = none. */
  readonly value?: bigint;
}

export interface Signed {
  readonly raw: string;
  readonly hash: string;
}

/** An organisation with its signing key and its node, as added to the registry. */
export interface Member {
  readonly organization: string;
  readonly address: string;
  readonly node: string;
  readonly endpoint: string;
  readonly publicKeyHash: string;
}

export interface Signer {
  readonly address: string;
  /** The address of the contract that the transaction with this nonce deploys. */
  createdAt(nonce: number): string;
  /** The data that deploys the network's contract with these limits. */
  deployment(limits: string): string;
  addMember(member: Member): string;
  /** Signs deterministically, so that a repeat after a crash sends the same bytes. */
  sign(transaction: Unsigned): Promise<Signed>;
}

/** Fixed, as for nodes on a local chain: it charges its base fee, not the maximum. */
const localFees: ChainFees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

/** Signs transfers of one key, such as a funder's. */
export function createPayer(key: string, chainId: number, fees: ChainFees): Pick<Signer, 'address' | 'sign'> {
  return createSigner(key, chainId, { abi: [], bytecode: '0x' }, fees);
}

/**
 * Creates the encoder and signer of the operator's transactions. `network` is the artifact of its main contract. Sends
 * nothing.
 */
export function createSigner(
  key: string,
  chainId: number,
  network: { readonly abi: readonly unknown[]; readonly bytecode: string },
  fees: ChainFees = localFees,
): Signer {
  const wallet = new Wallet(key);
  const contract = Interface.from(JSON.stringify(network.abi) satisfies InterfaceAbi);
  return {
    address: wallet.address.toLowerCase(),
    createdAt: (nonce) => getCreateAddress({ from: wallet.address, nonce }).toLowerCase(),
    deployment: (limits) => network.bytecode + contract.encodeDeploy([limits]).slice(2),
    addMember: ({ organization, address, node, endpoint, publicKeyHash }) =>
      contract.encodeFunctionData('addMember', [organization, address, node, endpoint, `0x${publicKeyHash}`]),
    async sign({ nonce, to, data, gas, value = 0n }) {
      const raw = await wallet.signTransaction({
        type: 2,
        chainId,
        nonce,
        data,
        gasLimit: gas,
        value,
        ...(to === undefined ? {} : { to }),
        ...fees,
      });
      return { raw, hash: keccak256(raw) };
    },
  };
}

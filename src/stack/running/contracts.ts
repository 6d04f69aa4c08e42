import type { ChainFees } from '../engines/chain/fees.js';
import { getCreateAddress, Interface, type InterfaceAbi, Signature, Transaction, keccak256, toBeHex } from 'ethers';
import { addressOf } from '../../domain/chain/keys.js';
import { signHash } from '../../domain/chain/signature.js';

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
  sign(transaction: Unsigned): Signed;
}

/** Fixed, as for nodes on a local chain, which charges its base fee and not the maximum. */
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
  const from = addressOf(key);
  const contract = Interface.from(JSON.stringify(network.abi) satisfies InterfaceAbi);
  return {
    address: from,
    createdAt: (nonce) => getCreateAddress({ from, nonce }).toLowerCase(),
    deployment: (limits) => network.bytecode + contract.encodeDeploy([limits]).slice(2),
    addMember: ({ organization, address, node, endpoint, publicKeyHash }) =>
      contract.encodeFunctionData('addMember', [organization, address, node, endpoint, `0x${publicKeyHash}`]),
    sign({ nonce, to, data, gas, value = 0n }) {
      const content = { type: 2, chainId, nonce, data, gasLimit: gas, value, ...fees };
      const transaction = Transaction.from(to === undefined ? content : { ...content, to });
      const { recovery, r, s } = signHash(transaction.unsignedHash, key);
      transaction.signature = Signature.from({ r: toBeHex(r, 32), s: toBeHex(s, 32), yParity: recovery === 1 ? 1 : 0 });
      const raw = transaction.serialized;
      return { raw, hash: keccak256(raw) };
    },
  };
}

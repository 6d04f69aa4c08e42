import { getCreateAddress, Interface, type InterfaceAbi, Wallet } from 'ethers';

export interface Unsigned {
  readonly nonce: number;
  /** Absent = a deployment. */
  readonly to?: string;
  readonly data: string;
  readonly gas: bigint;
}

/** An organisation with its signing key and its node, as the registry is told of it. */
export interface Member {
  readonly organization: string;
  readonly address: string;
  readonly node: string;
  readonly endpoint: string;
  readonly publicKeyHash: string;
}

export interface Signer {
  readonly address: string;
  /** The address of what the transaction with this nonce deploys. */
  createdAt(nonce: number): string;
  /** The data of a deployment with these network limits. */
  deployment(limits: string): string;
  addMember(member: Member): string;
  /** The signed bytes, with fees that are enough for a few fuller blocks. */
  sign(transaction: Unsigned, baseFeePerGas: bigint): Promise<string>;
}

const priorityFee = 1n;

/** Encodes and signs the operator's transactions for the network's contract. Nothing is sent. */
export function createSigner(
  key: string,
  chainId: number,
  artifact: { readonly abi: readonly unknown[]; readonly bytecode: string },
): Signer {
  const wallet = new Wallet(key);
  const contract = Interface.from(JSON.stringify(artifact.abi) satisfies InterfaceAbi);
  return {
    address: wallet.address.toLowerCase(),
    createdAt: (nonce) => getCreateAddress({ from: wallet.address, nonce }).toLowerCase(),
    deployment: (limits) => artifact.bytecode + contract.encodeDeploy([limits]).slice(2),
    addMember: ({ organization, address, node, endpoint, publicKeyHash }) =>
      contract.encodeFunctionData('addMember', [organization, address, node, endpoint, `0x${publicKeyHash}`]),
    sign: ({ nonce, to, data, gas }, baseFeePerGas) =>
      wallet.signTransaction({
        ...{ type: 2, chainId, nonce, data, gasLimit: gas, value: 0n },
        ...(to === undefined ? {} : { to }),
        ...{ maxPriorityFeePerGas: priorityFee, maxFeePerGas: baseFeePerGas * 4n + priorityFee },
      }),
  };
}

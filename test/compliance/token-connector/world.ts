import type { Wallet } from 'ethers';
import type { ContractLog } from '../../../src/ports/blockchain.js';
import type { ContractQuery, QueryAnswer } from '../../../src/ports/contract-query.js';
import type { ConnectorCall, TokenConnector, TokenEvent } from '../../../src/ports/token-connector.js';
import { RpcError } from '../../../src/devchain/rpc/rpc-error.js';
import { type ContractChain, openContractChain, type RawReceipt } from '../../support/contract-chain.js';
import { alice, bob } from '../../unit/devchain/support.js';

/** Addresses of parties, as the node writes them. */
export const keys = {
  alice: alice.address.toLowerCase(),
  bob: bob.address.toLowerCase(),
  carol: `0x${'ca'.repeat(20)}`,
} as const;

const wallets = new Map<string, Wallet>([
  [keys.alice, alice],
  [keys.bob, bob],
]);

export interface Made {
  readonly status: 'success' | 'reverted';
  readonly gasUsed: number;
  readonly block: number;
  readonly logs: readonly ContractLog[];
}

/** A connector and a chain on which its calls are made. */
export interface TokenWorld {
  readonly connector: TokenConnector;
  readonly contracts: ContractChain;
  /** Makes a call in its own block. */
  make(key: string, call: ConnectorCall): Promise<Made>;
  /** Makes a call that must succeed; returns the events that the connector reads from its logs. */
  read(key: string, call: ConnectorCall): Promise<readonly TokenEvent[]>;
  ask(query: ContractQuery): Promise<QueryAnswer>;
  head(): number;
}

/** `open` deploys the contracts of the connector, and creates it. */
export async function openTokenWorld(open: (contracts: ContractChain) => Promise<TokenConnector>): Promise<TokenWorld> {
  const contracts = await openContractChain();
  const connector = await open(contracts);

  async function make(key: string, { to, data, gas }: ConnectorCall): Promise<Made> {
    const wallet = wallets.get(key);
    if (wallet === undefined) throw new Error(`${key} signs nothing here.`);
    return madeOf(await contracts.mine(wallet, { to, data, gasLimit: gas }));
  }

  return {
    connector,
    contracts,
    make,
    read: async (key, call) => {
      const { status, logs } = await make(key, call);
      if (status === 'reverted') throw new Error('The call was reverted.');
      return connector.events(logs);
    },
    ask: async ({ to, data, block }) => {
      const at = block === undefined ? 'latest' : `0x${block.toString(16)}`;
      try {
        return {
          status: 'success',
          data: JSON.parse(await contracts.chain.ask('eth_call', [{ to, data }, at])) as string,
        };
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return { status: 'reverted', reason: error.message, data: typeof error.data === 'string' ? error.data : '0x' };
      }
    },
    head: () => contracts.chain.head().number,
  };
}

/** Converts a receipt to the type of the port. */
export function madeOf({ status, gasUsed, blockNumber, logs, ...receipt }: RawReceipt): Made {
  const block = Number(blockNumber);
  return {
    status: status === '0x1' ? 'success' : 'reverted',
    gasUsed: Number(gasUsed),
    block,
    logs: logs.map(({ address, topics, data, logIndex }) => ({
      type: 'contract_log',
      position: { block, transactionIndex: Number(receipt.transactionIndex), logIndex: Number(logIndex) },
      transactionHash: receipt.transactionHash.slice(2),
      time: '2026-06-01T00:00:00.000Z',
      address: address.toLowerCase(),
      topics,
      data,
    })),
  };
}

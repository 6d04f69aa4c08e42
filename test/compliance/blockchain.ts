import { describe } from 'vitest';
import { describeCalls } from './blockchain/calls.js';
import { describeContracts } from './blockchain/contracts.js';
import { describeNetworkLogs } from './blockchain/network-logs.js';
import type { BlockchainUnderTest } from './blockchain/scene.js';
import { describeOtherChain } from './blockchain/other-chain.js';
import { describeWatch } from './blockchain/watch.js';

/** The obligations of `ports/blockchain.ts`. */
export function describeBlockchain(adapter: string, create: () => Promise<BlockchainUnderTest>): void {
  describe(`blockchain: ${adapter}`, () => {
    describeCalls(create);
    describeWatch(create);
    describeContracts(create);
    describeNetworkLogs(create);
    describeOtherChain(create);
  });
}

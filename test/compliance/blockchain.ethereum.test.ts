import { Wallet } from 'ethers';
import { createEthereumBlockchain } from '../../src/adapters/blockchain/ethereum.js';
import { createSystemClock } from '../../src/adapters/clock/system.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import { describeBlockchain } from './blockchain.js';
import { memberKey, openChain, outsiderKey } from './blockchain-devchain.js';
import { openProxy } from './blockchain-proxy.js';

describeBlockchain('ethereum', async () => {
  let chain = await openChain();
  const proxy = await openProxy(() => chain.url());
  const beforePins = await chain.ask('evm_snapshot', []);
  return {
    member: addressOf(memberKey),
    outsider: addressOf(outsiderKey),
    connect: () =>
      createEthereumBlockchain({
        url: proxy.url,
        contract: chain.contract,
        firstBlock: chain.firstBlock,
        confirmations: 0,
        keys: [memberKey, outsiderKey],
        log: createSilentLog(),
        clock: createSystemClock(),
      }),
    addMember: (organization) => chain.addMember(organization, Wallet.createRandom().address),
    stop: () => chain.stop(),
    start: () => chain.start(),
    loseReply: async () => proxy.loseReply(),
    async wipe() {
      await chain.stop();
      chain = await openChain({ ageSeconds: 3_600 });
    },
    async reorganise() {
      await chain.ask('evm_revert', [beforePins]);
      await chain.ask('evm_increaseTime', [60]);
      await chain.ask('evm_mine', []);
    },
    async dispose() {
      await proxy.close();
      await chain.stop();
    },
  };
});

function addressOf(privateKey: string): string {
  return new Wallet(privateKey).address.toLowerCase();
}

import { createMemoryLedger, type MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import { tokenPoolsAddress } from '../../src/adapters/blockchain/memory/chain.js';
import { createSystemClock } from '../../src/adapters/clock/system.js';
import { describeBlockchain } from './blockchain.js';

const member = `0x${'a'.repeat(40)}`;
const outsider = `0x${'0'.repeat(39)}1`;

describeBlockchain('memory', async () => {
  let ledger = openLedger('first');
  return {
    member,
    outsider,
    connect: () => ledger.connect({ keys: [member, outsider] }),
    addMember: async (organization) => addMember(ledger, organization, `0x${'d'.repeat(40)}`),
    tokens: async () => tokenPoolsAddress,
    stop: async () => ledger.stop(),
    start: async () => ledger.start(),
    loseReply: async () => ledger.loseReplies(1),
    wipe: async () => {
      ledger = openLedger('second');
    },
    reorganise: async () => void ledger.rewind(1),
    dispose: async () => undefined,
  };
});

function openLedger(name: string): MemoryLedger {
  const ledger = createMemoryLedger({ clock: createSystemClock(), name });
  addMember(ledger, 'alice', member);
  return ledger;
}

function addMember(ledger: MemoryLedger, organization: string, key: string): void {
  const publicKeyHash = key.slice(2).padStart(64, '0');
  ledger.addMember({ organization, key, node: `node-${organization}`, endpoint: '', publicKeyHash });
}

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { recordedLimits } from '../../domain/network-rules.js';
import {
  type Blockchain,
  ChainError,
  type ChainCall,
  type ContractLog,
  type NetworkLog,
  type Receipt,
} from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import { textOf } from '../../wire/json.js';
import type { ContractRules } from './memory-accounts.js';
import { encodeTransaction } from './memory-call.js';
import { chainId, contractAddress, createMemoryChain, type MemoryChain, tokenPoolsAddress } from './memory-chain.js';
import { createMemoryContract, type NewKey, type NewMember, type NewNode } from './memory-contract.js';
import { createMemoryTokens } from './memory-tokens.js';
import { createMemoryWatch, readMemoryLogs } from './memory-watch.js';

/** Nothing costs anything here; so much is named when somebody asks. */
const gasOfCall = 100_000;

export interface MemoryLedger {
  /** The way of one node, with the addresses that it signs for. The ledger outlives all its nodes. */
  connect(options: { readonly keys: readonly string[] }): Blockchain;

  /** All logs of `Network.sol` so far, in chain order. */
  logs(): readonly NetworkLog[];
  /** Those of all other contracts. */
  contractLogs(): readonly ContractLog[];
  /** The number of the newest block. */
  head(): number;

  /** What the operator and members do without a node. That the contract takes it is asserted. */
  addMember(member: NewMember): void;
  addKey(key: NewKey): void;
  setNode(node: NewNode): void;

  /** Mines a call of a key, past whatever node has the key, with the key's next nonce. Reverted is an answer. */
  call(key: string, call: ChainCall): Receipt;

  /** The next `count` calls that nodes submit are mined, and their senders do not learn of it. */
  loseReplies(count: number): void;

  /** The next `count` calls are mined and have no effect: the contract reverts them. */
  revertCalls(count: number): void;

  /** The chain goes away, and comes back as it was: in between no node can reach it. */
  stop(): void;
  start(): void;

  /** Takes the last `count` blocks away, as a reorganisation does. Registered keys stay registered. */
  rewind(count: number): void;
}

export interface MemoryLedgerOptions {
  readonly clock: Clock;
  /** Stands in the genesis block: ledgers of different names are different chains. */
  readonly name?: string;
  /** JSON text of the limits that the network is created with; those of a network of today unless given. */
  readonly limits?: string;
}

/** What is wrong with the chain at this moment. */
interface Faults {
  callsToRevert: number;
  repliesToLose: number;
  isAway: boolean;
}

/**
 * A chain in memory with the rules of `Network.sol` and `TokenPools.sol`: one transaction a block, mined when it comes.
 * It has no timers; it sleeps on the given clock only between two attempts to hand over a page that was not taken, and
 * while a call waits for those before it.
 */
export function createMemoryLedger(options: MemoryLedgerOptions): MemoryLedger {
  const { clock, name = 'parley', limits = textOf(recordedLimits) } = options;
  const faults: Faults = { callsToRevert: 0, repliesToLose: 0, isAway: false };
  const contract = createMemoryContract();
  const objection = (): string | undefined => {
    if (faults.callsToRevert === 0) return undefined;
    faults.callsToRevert -= 1;
    return 'Refused()';
  };
  const newContracts = (): ReadonlyMap<string, ContractRules> =>
    new Map([[tokenPoolsAddress, createMemoryTokens(isContract)]]);
  const chain = createMemoryChain({ clock, name, limits, contract, newContracts, objection });
  const allLogs = (): readonly (NetworkLog | ContractLog)[] => chain.blocks.flatMap(({ logs }) => logs);

  return {
    connect: ({ keys }) => createWay({ chain, clock, faults, keys: [...keys] }),
    logs: () => allLogs().filter((log) => log.type !== 'contract_log'),
    contractLogs: () => allLogs().filter((log) => log.type === 'contract_log'),
    head: () => chain.blocks.length - 1,
    addMember: (member) => chain.operate(contract.addMember(member)),
    addKey: (key) => chain.operate(contract.addKey(key)),
    setNode: (node) => chain.operate(contract.setNode(node)),
    call: (from, call) =>
      chain.mine(encodeTransaction({ chainId, contract: contractAddress, from, nonce: chain.nonce(from), call }).raw),
    revertCalls(count) {
      faults.callsToRevert = count;
    },
    loseReplies(count) {
      faults.repliesToLose = count;
    },
    stop() {
      faults.isAway = true;
    },
    start() {
      faults.isAway = false;
      chain.changed();
    },
    rewind: (count) => chain.rewind(count),
  };
}

function isContract(address: string): boolean {
  return address === contractAddress || address === tokenPoolsAddress;
}

interface WayParts {
  readonly chain: MemoryChain;
  readonly clock: Clock;
  readonly faults: Faults;
  /** Grows as the node adds keys. */
  readonly keys: string[];
}

/** The way of one node to the chain. */
function createWay({ chain, clock, faults, keys }: WayParts): Blockchain {
  const closed = new AbortController();
  // As many calls may wait at once as a node has on their way.
  setMaxListeners(0, closed.signal);
  const assertReachable = (): void => {
    if (faults.isAway || closed.signal.aborted) throw new ChainError('unreachable', 'The chain cannot be reached.');
  };
  return {
    keys,
    network: contractAddress,

    addKey(privateKey) {
      // No key here is more than its address: what follows from the private one will do.
      const key = `0x${createHash('sha256').update(privateKey).digest('hex').slice(0, 40)}`;
      if (!keys.includes(key)) keys.push(key);
      return key;
    },

    async sign(key, nonce, call) {
      assert(keys.includes(key), 'a call is signed with a key of this node');
      assert(
        call.type !== 'contract' || call.to?.toLowerCase() !== contractAddress,
        'no call of a user is for the network contract',
      );
      return encodeTransaction({ chainId, contract: contractAddress, from: key, nonce, call });
    },

    async submit(raw) {
      assertReachable();
      const receipt = await chain.submit(raw, closed.signal);
      if (faults.repliesToLose === 0) return receipt;
      faults.repliesToLose -= 1;
      throw new ChainError('unreachable', 'The answer of the chain was lost.');
    },

    async count(key) {
      assertReachable();
      return chain.nonce(key);
    },

    async readLogs(source, from, to) {
      assertReachable();
      return readMemoryLogs(chain, source, from, to);
    },

    async query(query) {
      assertReachable();
      return chain.query(query);
    },

    async estimate(from, { to, data }) {
      assertReachable();
      const answer = to === null ? ({ status: 'success' } as const) : chain.query({ to, data, from });
      return answer.status === 'success' ? { status: 'success', gas: gasOfCall } : answer;
    },

    watch: createMemoryWatch({ chain, clock, closed: closed.signal, isAway: () => faults.isAway }),

    async status() {
      assertReachable();
      return { chainId, genesisHash: chain.blocks[0]?.hash ?? '', head: chain.blocks.length - 1 };
    },

    async close() {
      closed.abort();
    },
  };
}

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { recordedLimits } from '../../../domain/network/network-rules.js';
import {
  type Blockchain,
  ChainError,
  type ChainCall,
  type ContractLog,
  type NetworkLog,
  type Receipt,
} from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import { textOf } from '../../../wire/json/json.js';
import type { ContractRules } from './accounts.js';
import { encodeTransaction } from './call.js';
import { chainId, contractAddress, createMemoryChain, type MemoryChain, tokenPoolsAddress } from './chain.js';
import { createMemoryContract, type NewKey, type NewMember, type NewNode } from './contract.js';
import { createMemoryTokens } from './tokens.js';
import { createMemoryWatch, readMemoryLogs } from './watch.js';

/** Gas is free here; this is the estimate of every call. */
const gasOfCall = 100_000;
/** The balance of every key. */
const balanceOfAll = 10n ** 24n;

export interface MemoryLedger {
  /** Connects one node, with the addresses it signs for. The ledger outlives its nodes. */
  connect(options: { readonly keys: readonly string[] }): Blockchain;

  /** All logs of `Network.sol` so far, in chain order. */
  logs(): readonly NetworkLog[];
  /** All logs of other contracts. */
  contractLogs(): readonly ContractLog[];
  /** The number of the latest block. */
  head(): number;

  /** Actions of the operator and members without a node; asserts that the contract accepts them. */
  addMember(member: NewMember): void;
  addKey(key: NewKey): void;
  setNode(node: NewNode): void;

  /** Mines a call of a key, without its node, with the key's next nonce. A revert is a result. */
  call(key: string, call: ChainCall): Receipt;

  /** Mines the next `count` submitted calls without reporting it to their senders. */
  loseReplies(count: number): void;

  /** Mines the next `count` calls as reverted, without an effect. */
  revertCalls(count: number): void;

  /** Sets whether keys have no balance. */
  starve(isPoor: boolean): void;

  /** Makes the chain unreachable, until `start`. */
  stop(): void;
  start(): void;

  /**
   * Removes the last `count` blocks, like a reorganisation. Registered keys stay registered. Returns the signed bytes
   * of the removed calls, in order; submitted again they are mined again.
   */
  rewind(count: number): readonly string[];
}

export interface MemoryLedgerOptions {
  readonly clock: Clock;
  /** Part of the genesis block: ledgers with different names are different chains. */
  readonly name?: string;
  /** JSON text of the limits that the network is created with; default: those of a new network. */
  readonly limits?: string;
  /** Creates the initial state of further contracts: address → rules. */
  readonly newContracts?: () => ReadonlyMap<string, ContractRules>;
}

/** The injected faults of the chain. */
interface Faults {
  callsToRevert: number;
  repliesToLose: number;
  isPoor: boolean;
  isAway: boolean;
}

/**
 * Creates an in-memory chain with the rules of `Network.sol` and `TokenPools.sol`: one transaction per block, mined on
 * arrival. It has no timers; it sleeps on the given clock only between two attempts to deliver a page, and while a call
 * waits for those before it.
 */
export function createMemoryLedger(options: MemoryLedgerOptions): MemoryLedger {
  const { clock, name = 'parley', limits = textOf(recordedLimits) } = options;
  const faults: Faults = { callsToRevert: 0, repliesToLose: 0, isPoor: false, isAway: false };
  const contract = createMemoryContract();
  const objection = (): string | undefined => {
    if (faults.callsToRevert === 0) return undefined;
    faults.callsToRevert -= 1;
    return 'Refused()';
  };
  const newContracts = (): ReadonlyMap<string, ContractRules> =>
    new Map([[tokenPoolsAddress, createMemoryTokens(isContract)], ...(options.newContracts?.() ?? [])]);
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
    starve(isPoor) {
      faults.isPoor = isPoor;
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

/** Derives an address from a private key; any deterministic function suffices here. */
function addressOf(privateKey: string): string {
  return `0x${createHash('sha256').update(privateKey).digest('hex').slice(0, 40)}`;
}

interface WayParts {
  readonly chain: MemoryChain;
  readonly clock: Clock;
  readonly faults: Faults;
  /** Grows as the node adds keys. */
  readonly keys: string[];
}

/** Creates the connection of one node to the chain. */
function createWay({ chain, clock, faults, keys }: WayParts): Blockchain {
  const closed = new AbortController();
  // One listener for each call that waits.
  setMaxListeners(0, closed.signal);
  const assertReachable = (): void => {
    if (faults.isAway || closed.signal.aborted) throw new ChainError('unreachable', 'The chain cannot be reached.');
  };
  const reached = async <T>(ask: () => T): Promise<T> => {
    assertReachable();
    return ask();
  };
  return {
    keys,
    network: contractAddress,

    addKey(privateKey) {
      const key = addressOf(privateKey);
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
      if (faults.isPoor) throw new ChainError('unfunded', 'The key has too little to pay for its calls.');
      const receipt = await chain.submit(raw, closed.signal);
      if (faults.repliesToLose === 0) return receipt;
      faults.repliesToLose -= 1;
      throw new ChainError('unreachable', 'The answer of the chain was lost.');
    },

    count: (key) => reached(() => chain.nonce(key)),

    balance: () => reached(() => (faults.isPoor ? 0n : balanceOfAll)),

    readLogs: (source, from, to) => reached(() => readMemoryLogs(chain, source, from, to)),

    blockHash: (block) => reached(() => chain.blocks[block]?.hash),

    query: (query) => reached(() => chain.query(query)),

    async estimate(from, { to, data }) {
      assertReachable();
      const answer = to === null ? ({ status: 'success' } as const) : chain.query({ to, data, from });
      return answer.status === 'success' ? { status: 'success', gas: gasOfCall } : answer;
    },

    watch: createMemoryWatch({ chain, clock, closed: closed.signal, isAway: () => faults.isAway }),

    async status() {
      assertReachable();
      const head = chain.blocks.length - 1;
      return { chainId, genesisHash: chain.blocks[0]?.hash ?? '', head, confirmed: head };
    },

    async close() {
      closed.abort();
    },
  };
}

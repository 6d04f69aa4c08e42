import { afterEach, beforeEach } from 'vitest';
import type { Blockchain, PinCall, Receipt } from '../../../src/ports/blockchain.js';
import { aPin, type Follower, follow, type FollowOptions, hashOf } from './follower.js';

export interface BlockchainUnderTest {
  /** A key of the member `alice`, and an unregistered one. Every connection signs for both. */
  readonly member: string;
  readonly outsider: string;
  /** Opens the connection of one node. */
  connect(): Blockchain;
  /** Adds one more member, as the operator. */
  addMember(organization: string): Promise<void>;
  /** Returns the address of `TokenPools.sol`, the same each time. */
  tokens(): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** The next submitted call is mined, but its sender gets no reply. */
  loseReply(): Promise<void>;
  /** Replaces the chain by another one for all later connections. */
  wipe(): Promise<void>;
  /** Removes the last block, as a reorganisation does; another one may be in its place. */
  reorganise(): Promise<void>;
  dispose(): Promise<void>;
}

/** The fixture of every test in a suite: a fresh chain with one member, and a node on it. */
export interface Scene {
  readonly subject: BlockchainUnderTest;
  readonly chain: Blockchain;
  /** Opens the connection of another node, closed after the test. */
  connect(): Blockchain;
  /** Starts a reader, stopped after the test. */
  watch(chain: Blockchain, options?: FollowOptions): Follower;
  /** Submits a pin of the member. Its batch hash is `hashOf(nonce)` unless a call is given. */
  pin(nonce: number, call?: PinCall): Promise<Receipt>;
}

/** Call it inside `describe`: it creates the scene before each test and removes it after. */
export function createScene(create: () => Promise<BlockchainUnderTest>): Scene {
  let subject: BlockchainUnderTest;
  let chain: Blockchain;
  const opened: Blockchain[] = [];
  const followers: Follower[] = [];

  function connect(): Blockchain {
    const blockchain = subject.connect();
    opened.push(blockchain);
    return blockchain;
  }

  beforeEach(async () => {
    subject = await create();
    chain = connect();
  });

  afterEach(async () => {
    for (const follower of followers.splice(0)) await follower.stop();
    for (const blockchain of opened.splice(0)) await blockchain.close();
    await subject.dispose();
  });

  return {
    get subject() {
      return subject;
    },
    get chain() {
      return chain;
    },
    connect,
    watch(blockchain, options) {
      const follower = follow(blockchain, options);
      followers.push(follower);
      return follower;
    },
    pin: async (nonce, call = aPin({ batchHash: hashOf(nonce) })) =>
      chain.submit((await chain.sign(subject.member, nonce, call)).raw),
  };
}

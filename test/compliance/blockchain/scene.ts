import { afterEach, beforeEach } from 'vitest';
import type { Blockchain, PinCall, Receipt } from '../../../src/ports/blockchain.js';
import { aPin, type Follower, follow, type FollowOptions, hashOf } from './follower.js';

export interface BlockchainUnderTest {
  /** A key of the member `alice`, and one that nobody has registered. Every connection signs for both. */
  readonly member: string;
  readonly outsider: string;
  /** The way of one node. */
  connect(): Blockchain;
  /** The operator adds one more member. */
  addMember(organization: string): Promise<void>;
  /** Address of `TokenPools.sol`, the same each time. */
  tokens(): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** The next call that is submitted is mined, and its sender does not learn of it. */
  loseReply(): Promise<void>;
  /** Another chain stands where this one was: what connects from now on meets it. */
  wipe(): Promise<void>;
  /** Takes the last block away, as a reorganisation does; there may be another one in its place. */
  reorganise(): Promise<void>;
  dispose(): Promise<void>;
}

/** The fixture of every test in a suite: a fresh chain with one member, and a node on it. */
export interface Scene {
  readonly subject: BlockchainUnderTest;
  readonly chain: Blockchain;
  /** One more node, closed after the test. */
  connect(): Blockchain;
  /** A reader, stopped after the test. */
  watch(chain: Blockchain, options?: FollowOptions): Follower;
  /** Submits a pin of the member. Its batch hash is `hashOf(nonce)` unless a call is given. */
  pin(nonce: number, call?: PinCall): Promise<Receipt>;
}

/** To be called inside `describe`: sets the scene before each test and clears it away after. */
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

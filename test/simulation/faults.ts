import type { SeededRandom } from '../../src/adapters/random/seeded.js';

/**
 * The faults of a seed. Rates are from 0 to 1 per call; after `heal` they are 0. The numbers F… are those of
 * docs/architecture.md §9.3.
 */
export interface Faults {
  /** Longest usual delay by service, in milliseconds. */
  readonly delayMs: {
    readonly database: number;
    readonly chain: number;
    readonly store: number;
    readonly page: number;
    readonly peer: number;
  };
  /** Whether each step of a unit is a separate event, so that a crash can occur between steps. F12 */
  readonly hasSlowUnits: boolean;
  /** Whether each read outside a unit is a separate event, so that a commit can occur before it. */
  readonly hasSlowReads: boolean;
  /** A unit is rolled back and repeated. F20 */
  readonly unitRepeated: number;
  /** A commit fails without effect. F15, F20 */
  readonly commitRefused: number;
  /** A call to the chain does not arrive. F8 */
  readonly chainRequestLost: number;
  /** A call to the chain has its effect, but the answer is lost. F8 */
  readonly chainReplyLost: number;
  /** F7 */
  readonly pageLate: number;
  readonly pageRepeated: number;
  /** F6 */
  readonly storeRequestLost: number;
  readonly storeReplyLost: number;
  readonly storeMissing: number;
  readonly storeTruncated: number;
  readonly storeWrong: number;
  readonly storeSlow: number;
  /** F1 to F4: faults between two nodes. */
  readonly peerRequestLost: number;
  readonly peerReplyLost: number;
  readonly peerRepeated: number;
  readonly peerSlow: number;
  /** A transfer of a blob breaks off. */
  readonly peerCut: number;
  /** How often a node cannot reach the others for a time. F4 */
  readonly peerOutages: number;
  /** A change of a file is refused. F15 */
  readonly diskFull: number;
  /** Rings that are lost; 1 for all of them. */
  readonly bellLost: number;
  /** How often a node dies. F10 */
  readonly crashes: number;
  /** How often the chain is unavailable for a time; it returns unchanged. F9 */
  readonly chainOutages: number;
  readonly storeOutages: number;
  /** F16 */
  readonly hasLateJoiner: boolean;
  /** F17 */
  readonly hostilePins: number;
  /** F14 */
  readonly clockJumps: number;
  /** The answer to a request that was executed is lost. */
  readonly answerLost: number;
  /** How often the chain replaces blocks that nodes have read; 0 except in the seeds for it. F19 */
  readonly reorganisations: number;
  /** How often a user has a party rebuilt from a block on; 0 except in the seeds for it. */
  readonly rebuilds: number;
  /** Number of token operations; 0 except in the seeds for it. F18 */
  readonly tokens: number;
  /** Whether users share pools, interfaces and APIs later or never, and delete some; only in the seeds for it. */
  readonly hasLocalRecords: boolean;
  /** Whether users make requests that meet others under way; only in the seeds for it. */
  readonly hasOverlaps: boolean;
  /** A pin is mined without an effect; 0 except in the seeds for it. F18 */
  readonly pinReverted: number;
  /** A judgement is given up; 0 except in the seeds for it, where nothing is judged directly. */
  readonly judgementFailed: number;
  /** Number of items that users delete; 0 except in the seeds for it. */
  readonly deletions: number;
  /** Number of contract interfaces and APIs that users share; 0 except in the seeds for it. */
  readonly contracts: number;
  /** Number of requests about custom identities; 0 except in the seeds for it. */
  readonly identities: number;
  /** Number of listeners for contract events that users request; 0 except in the seeds for it. */
  readonly listeners: number;
  /** Whether each node also delivers its events to a server; only in the seeds for it. */
  readonly hasWebhooks: boolean;
  /**
   * Milliseconds for which batches collect messages under steady traffic; 0 except in seeds with failing judgements.
   */
  readonly paceMs: number;
}

/** Draws the faults of a seed and their rates. */
export function drawFaults(random: SeededRandom): Faults {
  const chance = (probability: number): boolean => random.fraction() < probability;
  const rate = (probability: number, worst: number): number => (chance(probability) ? random.fraction() * worst : 0);
  const times = (probability: number, most: number): number => (chance(probability) ? 1 + random.integer(most) : 0);
  const upTo = (choices: readonly number[]): number => choices[random.integer(choices.length)] ?? 1;
  return {
    delayMs: {
      database: upTo([0, 1, 5]),
      chain: upTo([1, 10, 200]),
      store: upTo([1, 10, 200]),
      page: upTo([0, 10, 500]),
      peer: upTo([1, 10, 200]),
    },
    hasSlowUnits: chance(0.15),
    hasSlowReads: chance(0.25),
    unitRepeated: rate(0.3, 0.5),
    commitRefused: rate(0.15, 0.1),
    chainRequestLost: rate(0.3, 0.4),
    chainReplyLost: rate(0.4, 0.5),
    pageLate: rate(0.3, 0.5),
    pageRepeated: rate(0.4, 0.5),
    storeRequestLost: rate(0.25, 0.4),
    storeReplyLost: rate(0.25, 0.4),
    storeMissing: rate(0.4, 0.7),
    storeTruncated: rate(0.2, 0.4),
    storeWrong: rate(0.2, 0.4),
    storeSlow: rate(0.3, 0.4),
    peerRequestLost: rate(0.3, 0.5),
    peerReplyLost: rate(0.3, 0.5),
    peerRepeated: rate(0.3, 0.5),
    peerSlow: rate(0.3, 0.4),
    peerCut: rate(0.3, 0.6),
    peerOutages: times(0.25, 3),
    diskFull: rate(0.1, 0.1),
    bellLost: chance(0.1) ? 1 : rate(0.15, 0.8),
    crashes: times(0.6, 5),
    chainOutages: times(0.25, 2),
    storeOutages: times(0.25, 2),
    hasLateJoiner: chance(0.3),
    hostilePins: times(0.5, 12),
    clockJumps: times(0.2, 3),
    answerLost: rate(0.3, 0.3),
    reorganisations: 0,
    rebuilds: 0,
    tokens: 0,
    hasLocalRecords: false,
    hasOverlaps: false,
    pinReverted: 0,
    judgementFailed: 0,
    deletions: 0,
    contracts: 0,
    identities: 0,
    listeners: 0,
    hasWebhooks: false,
    paceMs: 0,
  };
}

/** The faults after everything has healed. */
export const noFaults: Faults = {
  delayMs: { database: 1, chain: 5, store: 5, page: 1, peer: 5 },
  hasSlowUnits: false,
  hasSlowReads: false,
  unitRepeated: 0,
  commitRefused: 0,
  chainRequestLost: 0,
  chainReplyLost: 0,
  pageLate: 0,
  pageRepeated: 0,
  storeRequestLost: 0,
  storeReplyLost: 0,
  storeMissing: 0,
  storeTruncated: 0,
  storeWrong: 0,
  storeSlow: 0,
  peerRequestLost: 0,
  peerReplyLost: 0,
  peerRepeated: 0,
  peerSlow: 0,
  peerCut: 0,
  peerOutages: 0,
  diskFull: 0,
  bellLost: 0,
  crashes: 0,
  chainOutages: 0,
  storeOutages: 0,
  hasLateJoiner: false,
  hostilePins: 0,
  clockJumps: 0,
  answerLost: 0,
  reorganisations: 0,
  rebuilds: 0,
  tokens: 0,
  hasLocalRecords: false,
  hasOverlaps: false,
  pinReverted: 0,
  judgementFailed: 0,
  deletions: 0,
  contracts: 0,
  identities: 0,
  listeners: 0,
  hasWebhooks: false,
  paceMs: 0,
};

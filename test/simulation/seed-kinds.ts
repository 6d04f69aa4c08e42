import type { Faults } from './faults.js';

/** From this seed on there are tokens as well. Lower seeds keep their earlier histories. */
export const firstTokenSeed = 1_000_000;

/** From this seed on judgements fail. */
export const firstJudgementSeed = 2_000_000;

/** From this seed on the chain replaces blocks that nodes have read. */
export const firstReorganisationSeed = 3_000_000;

/** From this seed on users delete items. */
export const firstDeletionSeed = 4_000_000;

/** From this seed on the databases are files of SQLite. */
export const firstSqliteSeed = 5_000_000;

/** From this seed on nodes call webhooks. */
export const firstWebhookSeed = 6_000_000;

/** From this seed on users share contract interfaces and APIs. */
export const firstContractSeed = 7_000_000;

/** From this seed on members register custom identities and send as them. */
export const firstIdentitySeed = 8_000_000;

/** From this seed on users listen for events of contracts. */
export const firstListenerSeed = 9_000_000;

/** From this seed on several of these are combined: each in half of the seeds, in all combinations. */
export const firstMixedSeed = 10_000_000;

/** From this seed on they are combined on files of SQLite. */
export const firstMixedSqliteSeed = 11_000_000;

/** From this seed on users also have parties rebuilt. */
export const firstRebuildSeed = 12_000_000;

/** From this seed on users share pools, interfaces and APIs later or never, and delete some. */
export const firstLocalRecordSeed = 20_000_000;

/** From this seed on users make requests that meet others under way. */
export const firstOverlapSeed = 30_000_000;

/** From this seed on the chain also replaces blocks with pins that it has reverted, whose batches users may cancel. */
export const firstReplacedOverlapSeed = 31_000_000;

interface Kind {
  readonly from: number;
  /** Whether the databases are files of SQLite. */
  readonly isOnDisk?: true;
  readonly amend: (faults: Faults, seed: number) => Faults;
}

/** The kinds of seeds that differ in more than their faults, last first. */
export const kinds: readonly Kind[] = [
  { from: firstReplacedOverlapSeed, amend: withReplacedOverlaps },
  { from: firstOverlapSeed, amend: withOverlaps },
  { from: firstLocalRecordSeed, amend: withLocalRecords },
  { from: firstRebuildSeed, amend: withRebuilds },
  { from: firstMixedSqliteSeed, isOnDisk: true, amend: withSeveral },
  { from: firstMixedSeed, amend: withSeveral },
  { from: firstListenerSeed, amend: withListeners },
  { from: firstIdentitySeed, amend: withIdentities },
  { from: firstContractSeed, amend: (faults, seed) => ({ ...faults, contracts: 8 + (seed % 16) }) },
  { from: firstWebhookSeed, amend: (faults) => ({ ...faults, hasWebhooks: true }) },
  { from: firstSqliteSeed, isOnDisk: true, amend: onSqlite },
  { from: firstDeletionSeed, amend: withDeletions },
  { from: firstReorganisationSeed, amend: (faults, seed) => ({ ...faults, reorganisations: 1 + (seed % 3) }) },
  { from: firstJudgementSeed, amend: withFailedJudgements },
  { from: firstTokenSeed, amend: withTokens },
];

/** Returns the kind of a seed; undefined for the first, which differs only in its faults. */
export function kindOf(seed: number): Kind | undefined {
  return kinds.find(({ from }) => seed >= from);
}

/** Replaces blocks in a third of the seeds, and calls webhooks in another. */
function withListeners(faults: Faults, seed: number): Faults {
  const reorganisations = seed % 3 === 1 ? 1 + (seed % 2) : 0;
  return { ...faults, listeners: 4 + (seed % 9), reorganisations, hasWebhooks: seed % 3 === 2 };
}

/**
 * Reads the features of a seed from its bits. Failing judgements have separate seeds, since they limit the crashes. If
 * users delete items and blocks are replaced there is no hostile member, since it never sends anything again.
 */
function withSeveral(faults: Faults, seed: number): Faults {
  const has = (bit: number): boolean => (seed & (1 << bit)) !== 0;
  const size = seed >> 7;
  return {
    ...faults,
    hostilePins: has(0) && has(2) ? 0 : faults.hostilePins,
    reorganisations: has(0) ? 1 + (size % 3) : 0,
    tokens: has(1) ? 3 + (size % 13) : 0,
    deletions: has(2) ? 5 + (size % 20) : 0,
    contracts: has(3) ? 8 + (size % 16) : 0,
    identities: has(4) ? 12 + (size % 20) : 0,
    listeners: has(5) ? 4 + (size % 9) : 0,
    hasWebhooks: has(6),
  };
}

/** Excludes a hostile member if users delete items, as if blocks are replaced. */
function withRebuilds(faults: Faults, seed: number): Faults {
  const several = withSeveral(faults, seed);
  const hostilePins = several.deletions > 0 ? 0 : several.hostilePins;
  return { ...several, hostilePins, rebuilds: 1 + ((seed >> 7) % 4) };
}

/** Adds tokens to all seeds, and has parties rebuilt in half of them. */
function withLocalRecords(faults: Faults, seed: number): Faults {
  const several = seed % 2 === 0 ? withRebuilds(faults, seed >> 1) : withSeveral(faults, seed >> 1);
  return { ...several, tokens: 4 + (seed % 13), hasLocalRecords: true };
}

/**
 * Adds each of these features by a bit of the seed. If the chain replaces blocks it reverts no pins, since a pin of a
 * cancelled batch would succeed in another block.
 */
function withOverlaps(faults: Faults, seed: number): Faults {
  const has = (bit: number): boolean => (seed & (1 << bit)) !== 0;
  const size = seed >> 4;
  const [hasDeletions, isRebuilt] = [has(1), has(2)];
  const isReorganised = has(4) && !isRebuilt;
  return {
    ...faults,
    hostilePins: hasDeletions ? 0 : faults.hostilePins,
    // In each of two namespaces.
    tokens: has(0) ? 3 + (size % 5) : 0,
    hasLocalRecords: has(0),
    deletions: hasDeletions ? 5 + (size % 10) : 0,
    rebuilds: isRebuilt ? 1 + (size % 2) : 0,
    contracts: has(3) ? 8 + (size % 8) : 0,
    reorganisations: isReorganised ? 1 + (size % 2) : 0,
    hasOverlaps: true,
    pinReverted: isReorganised ? 0 : 0.2 + 0.1 * (size % 3),
  };
}

/** Reverts pins and replaces blocks, so that a pin may succeed that was reverted before, also of a cancelled batch. */
function withReplacedOverlaps(faults: Faults, seed: number): Faults {
  const overlapping = withOverlaps(faults, seed);
  const size = seed >> 4;
  return { ...overlapping, reorganisations: 1 + (size % 2), pinReverted: 0.2 + 0.1 * (size % 3) };
}

/** Adds tokens to a third of the seeds, and deletions to another. */
function onSqlite(faults: Faults, seed: number): Faults {
  if (seed % 3 === 1) return withTokens(faults, seed);
  return seed % 3 === 2 ? withDeletions(faults, seed) : faults;
}

/** Allows at most one crash: after three attempts without a result a judgement would be held. */
function withFailedJudgements(faults: Faults): Faults {
  return { ...faults, crashes: Math.min(1, faults.crashes), judgementFailed: 0.4, paceMs: 200 };
}

function withDeletions(faults: Faults, seed: number): Faults {
  return { ...faults, deletions: 5 + (seed % 20) };
}

/** Replaces blocks in a third of the seeds, so that profiles are removed again. */
function withIdentities(faults: Faults, seed: number): Faults {
  const isReorganised = seed % 3 === 2;
  const reorganisations = isReorganised ? 1 + (seed % 2) : 0;
  return { ...faults, identities: (isReorganised ? 24 : 12) + (seed % 20), reorganisations };
}

function withTokens(faults: Faults, seed: number): Faults {
  return { ...faults, tokens: 3 + (seed % 13) };
}

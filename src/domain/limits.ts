import { maxTextDepth, maxValueDepth } from '../wire/json-scan.js';

/**
 * The limits that every network has: they decide whether something is valid, so they are the same on every node (S
 * §18). `network-rules.ts` has those that came later. Sizes in bytes.
 */
export const networkLimits = {
  maxBatchMessages: 200,
  maxBatchDataBytes: 800 * 1024,
  maxPayloadBytes: 2 * 1024 * 1024,
  maxTopics: 10,
  maxDataItems: 256,
  maxGroupMembers: 256,
  maxNameCharacters: 64,
  maxTextDepth,
  maxValueDepth,
  maxSchemaBytes: 64 * 1024,
  maxSubschemas: 2_000,
  maxValidationSteps: 1_000_000,
} as const;

/** What a message counts beside its values when a batch is filled (S §3.3). */
export const messageOverheadBytes = 1024;

/** Longest idempotency key, in characters (S §1.6). */
export const maxIdempotencyKeyCharacters = 256;

/** Largest envelope that a peer may send: a payload and its group (assurance, 12). */
export const maxEnvelopeBytes = 3 * 1024 * 1024;

/** How much a peer may bring before it is pinned; above it the peer keeps its own (assurance S9). */
export const maxCandidates = 1_000;
export const maxCandidateBytes = 256 * 1024 * 1024;

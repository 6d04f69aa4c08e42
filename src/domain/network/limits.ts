import { maxTextDepth, maxValueDepth } from '../../wire/json/json-scan.js';
import { maxBatchMessages } from '../../wire/messages/batch.js';

/**
 * The limits of every network. They decide whether something is valid, so they are the same on every node
 * (docs/protocol.md §14). `network-rules.ts` has those that were added later. Sizes are in bytes.
 */
export const networkLimits = {
  maxBatchMessages,
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

/** Size charged for a message beside its values when a batch is filled (docs/protocol.md §5.3). */
export const messageOverheadBytes = 1024;

/** Longest idempotency key, in characters (docs/api.md §5). */
export const maxIdempotencyKeyCharacters = 256;

/** Largest envelope that a peer may send: a payload and its group. */
export const maxEnvelopeBytes = 3 * 1024 * 1024;

/** Limits on what a peer may send before it is pinned; above them the peer must wait (docs/architecture.md §12.2). */
export const maxCandidates = 1_000;
export const maxCandidateBytes = 256 * 1024 * 1024;

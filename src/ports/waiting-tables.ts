import type { Row } from './row.js';

/** A context, or `message:<id>/<hash>` of an unpinned message, that must be looked at. Unique by context. */
export interface DueRow extends Row {
  readonly context: string;
}

/** Why the head of a context cannot be decided. Unique by (context, on). */
export interface WaitRow extends Row {
  readonly context: string;
  /**
   * What is missing: `batch:<id>/<hash>/<signer>`, `blob:<hash>`, `context:<hash>`, `judgement:<key>`, or, for an
   * unpinned message alone, `datatype:<namespace>/<name>/<version>`.
   */
  readonly on: string;
  readonly since: string;
}

/** A judgement that has begun and not ended, in this life or an earlier one. Unique by key. */
export interface JudgementRow extends Row {
  readonly key: string;
  /** What is judged, in words. */
  readonly subject: string;
  readonly sizeBytes: number;
  /** How often it was begun. */
  readonly attempts: number;
  /** When it was begun first. */
  readonly since: string;
}

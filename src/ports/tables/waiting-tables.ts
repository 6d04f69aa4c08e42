import type { Row } from './row.js';

/**
 * A context that must be examined, or `message:<id>/<hash>` for an unpinned message, or
 * `batch:<index>/<id>/<hash>/<signer>` for the contexts of a broadcast batch from a pin on. Unique by context.
 */
export interface DueRow extends Row {
  readonly context: string;
}

/** A reason why the head of a context cannot be decided. Unique by (context, on). */
export interface WaitRow extends Row {
  readonly context: string;
  /**
   * The missing condition: `batch:<id>/<hash>/<signer>`, `blob:<hash>`, `context:<hash>`, `judgement:<key>`,
   * `pool:<namespace>/<id>`, or, only for an unpinned message, `datatype:<namespace>/<name>/<version>`.
   */
  readonly on: string;
  readonly since: string;
}

/** A judgement that was begun and has not ended, in this process or an earlier one. Unique by key. */
export interface JudgementRow extends Row {
  readonly key: string;
  /** A phrase that describes what is judged. */
  readonly subject: string;
  readonly sizeBytes: number;
  /** Number of attempts. */
  readonly attempts: number;
  /** Time of the first attempt. */
  readonly since: string;
}

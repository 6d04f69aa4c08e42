import type { Row } from './row.js';

/** A context, or `message:<id>/<hash>` of an unpinned message, that must be looked at. Unique by context. */
export interface DueRow extends Row {
  readonly context: string;
}

/** Why the head of a context cannot be decided. Unique by (context, on). */
export interface WaitRow extends Row {
  readonly context: string;
  /**
   * What is missing: `batch:<id>/<hash>/<signer>`, `blob:<hash>`, `context:<hash>`, or, for an unpinned message alone,
   * `datatype:<namespace>/<name>/<version>`.
   */
  readonly on: string;
  readonly since: string;
}

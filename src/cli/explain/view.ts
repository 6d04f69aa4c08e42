import type { Cause } from './cause.js';

/** The state of something at one party, and why it does not go on. */
export interface PartyView {
  readonly party: string;
  /** The state of the record there; `absent` and `away` where there is none, or nobody who says so. */
  readonly state: string;
  readonly decided?: string | undefined;
  readonly cause: Cause | undefined;
}

/** A party as JSON shows it. */
export function memberOf({ party, state, decided, cause }: PartyView): Readonly<Record<string, unknown>> {
  return { party, state, ...(decided !== undefined && { decided }), cause: cause ?? null };
}

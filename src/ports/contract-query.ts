/** A read-only call of a contract. */
export interface ContractQuery {
  readonly to: string;
  readonly data: string;
  /** The sender; a contract may answer each differently. */
  readonly from?: string | undefined;
  /** Gas limit; default: the chain's own. */
  readonly gas?: number | undefined;
  /** Queries the state after this block; default: the latest. */
  readonly block?: number | undefined;
}

export type QueryAnswer =
  | { readonly status: 'success'; readonly data: string }
  /** `data`: the revert data, `0x…`, if the server returns it. */
  | { readonly status: 'reverted'; readonly reason: string; readonly data: string };

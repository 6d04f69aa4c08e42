/** The identity of this node's organisation. */
export interface OwnIdentity {
  readonly organization: string;
  readonly did: string;
  /** The organisation's signing key, a lower-case address. */
  readonly key: string;
  /** All keys of this node, the organisation's first; keys of custom identities are added while the node runs. */
  readonly keys: readonly string[];
  /** Reads keys that were added to this node's wallet since the last call. */
  readonly refreshKeys?: (() => Promise<void>) | undefined;
}

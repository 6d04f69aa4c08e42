/** A node under test. */
export interface Endpoint {
  readonly name: string;
  /** The identity to which messages for this node are addressed. Default: `name`. */
  readonly identity?: string | undefined;
  /** The node's HTTP address, without a trailing slash. */
  readonly url: string;
}

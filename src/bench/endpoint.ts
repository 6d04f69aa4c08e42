/** A node under test. */
export interface Endpoint {
  readonly name: string;
  /** The identity that messages to it name. Default: its name. */
  readonly identity?: string | undefined;
  /** The node's HTTP address, without a trailing slash. */
  readonly url: string;
}

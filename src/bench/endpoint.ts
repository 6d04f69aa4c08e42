/** A node under test. */
export interface Endpoint {
  readonly name: string;
  /** The node's HTTP address, without a trailing slash. */
  readonly url: string;
}

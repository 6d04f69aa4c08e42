/** A node that is measured. */
export interface Endpoint {
  readonly name: string;
  /** The node's HTTP address, without a slash at the end. */
  readonly url: string;
}

/**
 * The common columns of all rows. Every row has a namespace; rows of the network as a whole (pins, members, keys,
 * cursors, due contexts, waits) are in `svc_system`. `sequence` is assigned by the one writer and increases in commit
 * order.
 */
export interface Row {
  readonly sequence: number;
  readonly namespace: string;
}

/**
 * The rows that the stages share. Every row has its namespace; what belongs to the network as a whole (pins, members,
 * keys, cursors, due contexts, waits) is in `svc_system`. `sequence` is counted by the one writer and rises in commit
 * order.
 */
export interface Row {
  readonly sequence: number;
  readonly namespace: string;
}

import type { TokenEvent } from '../../ports/token-connector.js';
import type { PoolRow } from '../../ports/token-tables.js';
import type { OperationData } from '../../wire/token.js';

/** An event as one pool of this node sees it. */
export interface PoolEvent {
  readonly pool: PoolRow;
  readonly event: TokenEvent;
  /** Of the event in this pool: one of a whole contract shows in each of its pools (S §15.6). */
  readonly protocolId: string;
  /** What its data says, which is hearsay. */
  readonly said: OperationData | undefined;
}

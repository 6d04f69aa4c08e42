import type { TokenEvent } from '../../../ports/token-connector.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import type { OperationData } from '../../../wire/token.js';

export interface PoolEvent {
  readonly pool: PoolRow;
  readonly event: TokenEvent;
  /**
   * Id of the event in this pool; an event of a whole contract is recorded in each of its pools (docs/protocol.md
   * §13.2).
   */
  readonly protocolId: string;
  /** The operation data that the call carried; not verified. */
  readonly operationData: OperationData | undefined;
}

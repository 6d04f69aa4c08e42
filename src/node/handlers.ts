import type { Bus } from '../pipeline/bus.js';
import type { Pipeline } from '../pipeline/pipeline.js';
import type { Blockchain } from '../ports/blockchain.js';
import type { Clock } from '../ports/clock.js';
import type { Database } from '../ports/database.js';
import type { Access } from './requests/access.js';
import type { Confirm } from './messages/confirm.js';
import type { Handlers } from './requests/handler.js';
import { createContractHandlers } from './handlers/contracts.js';
import { createDataHandlers } from './handlers/data.js';
import { createDatatypeHandlers } from './handlers/datatypes.js';
import { createIdentityHandlers } from './handlers/identities.js';
import { createListenerHandlers } from './handlers/listeners.js';
import { createMessageHandlers } from './handlers/messages.js';
import { createNetworkHandlers } from './handlers/network.js';
import { createSequenceHandlers } from './handlers/sequence.js';
import { createStatusHandlers } from './handlers/status.js';
import { createSubscriptionHandlers } from './handlers/subscriptions.js';
import { createTokenHandlers } from './handlers/tokens.js';
import { createTransactionHandlers } from './handlers/transactions.js';
import { createWebsocketHandlers } from './handlers/websockets.js';
import type { Reading } from './lists/read.js';
import type { Streams } from './stream.js';

export interface HandlerParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly pipeline: Pipeline;
  readonly reading: Reading;
  readonly confirm: Confirm;
  readonly streams: Streams;
  readonly access: Access;
  /** Token connectors by name. */
  readonly connectors: ReadonlyMap<string, unknown>;
  /** Name of this node. */
  readonly node: string;
  readonly contract: { readonly address: string; readonly firstBlock: number };
  /** Returns the address of the node, such as `http://127.0.0.1:5000`. */
  readonly url: () => string;
}

/** Creates the handlers of all routes that have code. */
export function createHandlers(parts: HandlerParts): Handlers {
  const { database, pipeline, reading, confirm } = parts;
  return {
    ...createMessageHandlers({ database, sender: pipeline, reading, confirm, integrity: pipeline.integrity }),
    ...createDataHandlers({ database, ...pipeline, reading }),
    ...createDatatypeHandlers({ database, ...pipeline, confirm }),
    ...createSequenceHandlers({ ...parts, ...pipeline }),
    ...createSubscriptionHandlers({ ...parts, ...pipeline }),
    ...createTransactionHandlers({ ...parts, ...pipeline }),
    ...createListenerHandlers({ database, reading, ...pipeline }),
    ...createTokenHandlers({ ...parts, ...pipeline }),
    ...createContractHandlers({ ...parts, ...pipeline }),
    ...createWebsocketHandlers(parts),
    ...createIdentityHandlers({ ...parts, ...pipeline }),
    ...createNetworkHandlers({ ...parts, ...pipeline }),
    ...createStatusHandlers(parts),
  };
}

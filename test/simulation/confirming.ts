import { createSilentLog } from '../../src/adapters/log/silent.js';
import { type Confirm, createConfirm } from '../../src/node/messages/confirm.js';
import { type ConfirmTokens, createConfirmTokens } from '../../src/node/tokens/confirm.js';
import type { Bus } from '../../src/pipeline/bus.js';
import type { Pipeline } from '../../src/pipeline/pipeline.js';
import { createWaiting } from '../../src/pipeline/wait.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Database } from '../../src/ports/database.js';

/** The waits of one life for requests with `confirm=true`. */
export interface Confirming {
  readonly message: Confirm['message'];
  readonly tokens: ConfirmTokens;
}

export interface ConfirmingParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly pipeline: Pick<Pipeline, 'eventLog'>;
  readonly clock: Clock;
  readonly onDefect: (error: Error) => void;
}

/** Returns the function that makes them at its first call, since their loop takes turns. */
export function prepareConfirming({ pipeline: { eventLog }, ...parts }: ConfirmingParts): () => Confirming {
  let made: Confirming | undefined;
  return () => {
    if (made !== undefined) return made;
    const { database, bus } = parts;
    const waiting = createWaiting({ eventLog, log: createSilentLog(), ...parts });
    const confirm = createConfirm({ database, waiting, bus });
    made = { message: confirm.message, tokens: createConfirmTokens({ database, confirm }) };
    return made;
  };
}

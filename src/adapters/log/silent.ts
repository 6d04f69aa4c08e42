import type { Log } from '../../ports/log.js';

/** A log that keeps nothing, for tests and simulations. */
export function createSilentLog(): Log {
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
    child: () => log,
  };
  return log;
}

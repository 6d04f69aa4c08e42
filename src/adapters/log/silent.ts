import type { Log } from '../../ports/log.js';

/** Creates a log that discards everything, for tests and simulations. */
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

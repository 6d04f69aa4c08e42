import type { IncomingMessage } from 'node:http';

const maxDrainMs = 2_000;

/**
 * Reads and drops what still comes of a request that is refused, for a moment at most. A connection that is closed
 * while the other side is sending is reset, and the answer that says why is lost with it.
 */
export function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      request.off('end', finish).off('close', finish);
      resolve();
    };
    const timer = setTimeout(finish, maxDrainMs);
    request.once('end', finish).once('close', finish);
    request.resume();
  });
}

import type { IncomingMessage } from 'node:http';

const maxDrainMs = 2_000;

/**
 * Reads and discards the rest of a refused request, for a limited time. Closing a connection while the client is
 * sending resets it, and the client loses the response with the reason.
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

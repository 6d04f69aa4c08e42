/** How long a read may take. Slow reads say so long before; a write may wait for the whole network. */
const maxReadMs = 30_000;

/** The platform's `fetch`, with an end to reads that the node never answers. */
export const limitedFetch: typeof fetch = (input, init = {}) => {
  if (init.method !== undefined && init.method !== 'GET') return fetch(input, init);
  const limit = AbortSignal.timeout(maxReadMs);
  return fetch(input, { ...init, signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit });
};

/** Whether a request failed because its time was up: another attempt would only take as long again. */
export function isTimedOut(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof DOMException && error.cause.name === 'TimeoutError';
}

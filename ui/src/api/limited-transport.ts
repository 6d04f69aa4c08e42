import { fetchTransport, type Transport } from '../../../src/client/transport.js';

/** How long a read may take. Slow reads say so long before; a write may wait for the whole network. */
const maxReadMs = 30_000;

const overFetch = fetchTransport();

/** The transport over the browser's `fetch`, with an end to reads that the node never answers. */
export const limitedTransport: Transport = (request) => {
  if (request.method !== 'GET') return overFetch(request);
  const limit = AbortSignal.timeout(maxReadMs);
  return overFetch({ ...request, signal: request.signal ? AbortSignal.any([request.signal, limit]) : limit });
};

/** Whether a request failed because its time was up: another attempt would only take as long again. */
export function isTimedOut(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof DOMException && error.cause.name === 'TimeoutError';
}

import { fetchTransport, type Transport } from '../../../src/client/transport.js';
import { learnNodeTime } from './node-clock.js';

/** The timeout of reads. Writes have none, since they may wait for the whole network. */
const maxReadMs = 30_000;

const overFetch = fetchTransport(async (...request) => {
  const response = await fetch(...request);
  learnNodeTime(response.headers.get('date') ?? undefined);
  return response;
});

/** The transport over the browser's `fetch`, with a timeout for reads. Its answers set the clock of the node. */
export const limitedTransport: Transport = (request) => {
  if (request.method !== 'GET') return overFetch(request);
  const limit = AbortSignal.timeout(maxReadMs);
  return overFetch({ ...request, signal: request.signal ? AbortSignal.any([request.signal, limit]) : limit });
};

export function isTimedOut(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof DOMException && error.cause.name === 'TimeoutError';
}

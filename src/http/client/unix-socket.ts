import { openRequest } from './request.js';
import type { HttpResponse } from './response.js';

export interface SocketRequest {
  /** Path of the Unix socket. */
  readonly socketPath: string;
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  /** Ends the request and the reading of its response: a signal, or a time in milliseconds from now. */
  readonly until: AbortSignal | number;
}

/** Maximum size of a response that is read as a whole. */
export const maxSocketBytes = 16_777_216;

/** Sends a request without a body to a Unix socket, on its own connection; resolves with the head of the response. */
export function askSocket({ path, until, ...target }: SocketRequest): Promise<HttpResponse> {
  const end = typeof until === 'number' ? { limits: { totalMs: until } } : { signal: until };
  return openRequest({ ...target, ...end, url: `http://localhost${path}` });
}

const goneCodes = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTSOCK'];

/** Whether an error means that no process listens on a socket any more. */
export function isNobodyThere(error: unknown): boolean {
  // Checked by its shape: under jest, errors of Node itself have another `Error` class than this code.
  return typeof error === 'object' && error !== null && 'code' in error && goneCodes.includes(String(error.code));
}

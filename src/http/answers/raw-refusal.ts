import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServiceError } from '../../wire/errors/error.js';
import { errorBody, errorHeaders } from './errors.js';

/** The header of every response that stops browsers from guessing another content type. */
export const noSniffing = ['X-Content-Type-Options', 'nosniff'] as const;

/** Writes an HTTP error to a raw connection and ends it, for requests that never get a response object. */
export function refuseSocket(socket: Duplex, error: ServiceError): void {
  const body = errorBody(error);
  const headers = {
    ...errorHeaders(error),
    'Content-Type': ['application/json'],
    [noSniffing[0]]: [noSniffing[1]],
    Connection: ['close'],
  };
  const lines = Object.entries(headers).flatMap(([name, values]) => values.map((value) => `${name}: ${value}`));
  socket.on('error', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
      ...lines,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}

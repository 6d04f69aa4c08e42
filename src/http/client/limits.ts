import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Time limits of a request, in milliseconds; each is unlimited by default. */
export interface Limits {
  /** From the beginning of the request to the last byte of the response. */
  readonly totalMs?: number;
  /** Without a byte in either direction. */
  readonly idleMs?: number;
  /** Until a new connection is established. */
  readonly connectionMs?: number;
  /** From there until the TLS handshake ends. */
  readonly handshakeMs?: number;
}

/** A limit of a request has passed. */
export class TimeoutError extends Error {
  readonly limit: keyof Limits;

  constructor(limit: keyof Limits, ms: number) {
    super(`${limitTexts[limit]} within ${ms} ms`);
    this.name = 'TimeoutError';
    this.limit = limit;
  }
}

const limitTexts: Readonly<Record<keyof Limits, string>> = {
  totalMs: 'there was no complete response',
  idleMs: 'there was no progress',
  connectionMs: 'there was no connection',
  handshakeMs: 'the TLS handshake did not finish',
};

/** Ends a request at its limits, and when its signal is aborted. */
export interface Supervision {
  /** The reason with which the request was ended, or else the given error. */
  causeOf(error: unknown): unknown;
  /** Ends the supervision, because the request is over. */
  end(): void;
}

export function superviseRequest(
  request: ClientRequest,
  { limits = {}, signal }: { readonly limits?: Limits; readonly signal?: AbortSignal | undefined },
): Supervision {
  let cause: { readonly error: unknown } | undefined;
  const stop = (error: unknown): void => {
    cause ??= { error };
    request.destroy();
  };
  const expire = (limit: keyof Limits, ms: number) => () => stop(new TimeoutError(limit, ms));
  const onAbort = (): void => stop(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const { totalMs, idleMs } = limits;
  const total = totalMs === undefined ? undefined : setTimeout(expire('totalMs', totalMs), totalMs);
  if (idleMs !== undefined) request.once('timeout', expire('idleMs', idleMs));
  const connecting = superviseConnection(request, limits, expire);
  return {
    causeOf: (error) => (cause === undefined ? error : cause.error),
    end: () => {
      clearTimeout(total);
      connecting.end();
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

function superviseConnection(
  request: ClientRequest,
  { connectionMs, handshakeMs }: Limits,
  expire: (limit: keyof Limits, ms: number) => () => void,
): { end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => clearTimeout(timer);
  const onConnect = (socket: Socket): void => {
    end();
    if (handshakeMs === undefined || !(socket instanceof TLSSocket)) return;
    timer = setTimeout(expire('handshakeMs', handshakeMs), handshakeMs);
    socket.once('secureConnect', end);
  };
  if (connectionMs !== undefined) timer = setTimeout(expire('connectionMs', connectionMs), connectionMs);
  request.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => onConnect(socket));
    else end();
  });
  return { end };
}

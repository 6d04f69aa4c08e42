import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { ServiceError } from '../../wire/errors/error.js';
import { methodsWithBody } from '../access/gate.js';

export interface BodyTimeLimits {
  /** Maximum time without a further byte of a body. */
  readonly maxBodyIdleMs: number;
  /** Maximum time for a whole body, unless it is an upload. */
  readonly maxBodyMs: number;
}

/** Ends requests whose bodies arrive too slowly, so that they do not hold connections that others need. */
export interface BodyTimeouts {
  /** Watches a request; called when its head has arrived. */
  watch(request: IncomingMessage): void;
  /** Refuses a request that becomes too slow while it is handled. */
  readonly middleware: Middleware;
  stop(): void;
}

interface Body {
  bytesRead: number;
  idleMs: number;
  ageMs: number;
  /** Refuses the request; undefined once its response can no longer be changed. */
  refuse: ((error: ServiceError) => void) | undefined;
}

/** Content types of files from users and peers, which may take as long as they need. */
const uploadTypes = new Set(['multipart/form-data', 'application/octet-stream']);
const maxSweepMs = 1_000;

/**
 * Watches the bodies of all requests of a listener. A body that stalls or takes too long is refused with 408, and the
 * connection closes; after the response, or if a refusal does not end the request, the connection is destroyed.
 * Progress is a byte received on the socket. Unread bytes in the buffer show that the sender is not the slow side.
 *
 * Time is counted in sweeps, so that a pause of this process is not blamed on the client.
 */
export function createBodyTimeouts({ maxBodyIdleMs, maxBodyMs }: BodyTimeLimits): BodyTimeouts {
  const bodies = new Map<IncomingMessage, Body>();
  const sweepMs = Math.max(1, Math.min(maxSweepMs, Math.floor(maxBodyIdleMs / 4)));
  // Runs only while there are bodies, since each sweep wakes the process.
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    timer ??= setInterval(sweepAll, sweepMs).unref();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function sweepAll(): void {
    for (const [request, body] of bodies) {
      if (request.complete || request.socket.destroyed) bodies.delete(request);
      else sweep(request, body);
    }
    if (bodies.size === 0) stop();
  }

  function sweep(request: IncomingMessage, body: Body): void {
    const { bytesRead } = request.socket;
    const hasProgress = bytesRead !== body.bytesRead || request.readableLength > 0;
    body.bytesRead = bytesRead;
    body.idleMs = hasProgress ? 0 : body.idleMs + sweepMs;
    body.ageMs += sweepMs;
    if (body.idleMs >= maxBodyIdleMs) end(request, body, `nothing of it came for ${seconds(maxBodyIdleMs)}`);
    else if (body.ageMs >= maxBodyMs && !isUpload(request)) end(request, body, `it took ${seconds(maxBodyMs)}`);
  }

  function end(request: IncomingMessage, body: Body, problem: string): void {
    const { refuse } = body;
    body.refuse = undefined;
    if (refuse === undefined) request.socket.destroy();
    else refuse(new ServiceError('request_late', { part: 'body', problem }));
  }

  return {
    watch(request) {
      if (!hasBody(request)) return;
      const { bytesRead } = request.socket;
      bodies.set(request, { bytesRead, idleMs: 0, ageMs: 0, refuse: undefined });
      start();
    },
    async middleware(ctx, next) {
      const body = bodies.get(ctx.req);
      if (body === undefined) return next();
      try {
        await new Promise<void>((resolve, reject) => {
          body.refuse = reject;
          next().then(resolve, reject);
        });
      } finally {
        body.refuse = undefined;
        if (ctx.req.complete) bodies.delete(ctx.req);
      }
    },
    stop,
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Whether a request is an upload; the gate has checked where that type is allowed. */
function isUpload({ method, headers }: IncomingMessage): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return methodsWithBody.has(method ?? '') && uploadTypes.has(type.trim().toLowerCase());
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}

import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { ServiceError } from '../wire/error.js';
import { methodsWithBody } from './gate.js';

export interface PaceLimits {
  /** How long a body may stay without a further byte. */
  readonly maxBodyIdleMs: number;
  /** How long a body may take in all, unless it is an upload. */
  readonly maxBodyMs: number;
}

/** Ends requests whose bodies come too slowly, so that they do not hold connections that others need. */
export interface Pace {
  /** Begins to watch a request; to be called when its head has come. */
  watch(request: IncomingMessage): void;
  /** Refuses a request that has become too slow while it is being answered. */
  readonly middleware: Middleware;
  stop(): void;
}

interface Body {
  bytesRead: number;
  idleMs: number;
  ageMs: number;
  /** Refuses the request. Undefined when its answer cannot be changed any more. */
  refuse: ((error: ServiceError) => void) | undefined;
}

/** Files, from users and from peers: they take as long as their bytes need. */
const uploadTypes = new Set(['multipart/form-data', 'application/octet-stream']);
const maxSweepMs = 1_000;

/**
 * Watches the bodies of all requests of a listener. A body without progress and one that takes too long are refused
 * with 408, and the connection closes; after its answer, or where a refusal does not end it, the connection is cut.
 * Progress is a byte on the socket. Bytes that wait here to be read show that the sender is not the slow one.
 *
 * Times are counted in sweeps, so that a process that stood still does not take its own pause for the client's.
 */
export function createPace({ maxBodyIdleMs, maxBodyMs }: PaceLimits): Pace {
  const bodies = new Map<IncomingMessage, Body>();
  const sweepMs = Math.max(1, Math.min(maxSweepMs, Math.floor(maxBodyIdleMs / 4)));
  const timer = setInterval(() => {
    for (const [request, body] of bodies) {
      if (request.complete || request.socket.destroyed) bodies.delete(request);
      else sweep(request, body);
    }
  }, sweepMs);
  timer.unref();

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
    stop() {
      clearInterval(timer);
    },
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Uploads are only taken where the gate lets their type pass. */
function isUpload({ method, headers }: IncomingMessage): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return methodsWithBody.has(method ?? '') && uploadTypes.has(type.trim().toLowerCase());
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}

import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Log } from '../ports/log.js';
import { DamagedDatabase, damageRemedy, databaseName, isDiskFull } from '../wire/disk.js';
import { isServiceError, ServiceError } from '../wire/error.js';
import { drain } from './drain.js';

/**
 * Whatever goes wrong behind it leaves as `{"error":"<code>: <text>"}` (S §1.5): a `ServiceError` with its own status,
 * anything else as our defect, logged with the request's id. No stack, path or SQL leaves the process.
 */
export function answerErrors(log: Log): Middleware {
  return async (ctx, next) => {
    const request = ctx.get('X-FireFly-Request-ID') || randomUUID();
    ctx.set('X-FireFly-Request-ID', request.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 128));
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        throw new ServiceError('not_found', { what: `${ctx.method} ${ctx.path}` });
      }
    } catch (thrown) {
      const error = toServiceError(thrown, request, log);
      // A body that is too slow has had its time.
      if (error.reason !== 'request_late') await drain(ctx.req);
      // The rest of a body that nobody reads must not keep the connection.
      if (!ctx.req.complete) ctx.set('Connection', 'close');
      ctx.status = error.status;
      ctx.set(errorHeaders(error));
      ctx.type = 'application/json';
      ctx.body = errorBody(error);
    }
  };
}

/** The body of every error answer. */
export function errorBody(error: ServiceError): string {
  return JSON.stringify({ error: error.message });
}

/**
 * The headers of an error answer beside its type: a 401 names what would be taken, a 416 how many bytes there are, by
 * which a download that is continued knows that it is whole (RFC 9110, 11.6.1 and 15.5.17).
 */
export function errorHeaders(error: ServiceError): Record<string, string[]> {
  if (isServiceError(error, 'range_not_satisfiable')) return { 'Content-Range': [`bytes */${error.fields['size']}`] };
  return error.status === 401 ? { 'WWW-Authenticate': challenges } : {};
}

/** Basic stands first: browsers ask for the first that they know. */
const challenges = ['Basic realm="parley", charset="UTF-8"', 'Bearer realm="parley"'];

/** What is shown of anything thrown: a `ServiceError` itself; else our defect, which goes to the log in full. */
export function toServiceError(thrown: unknown, request: string, log: Log): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof DamagedDatabase) {
    log.error('A request met damage in the database', { request, error: thrown });
    return new ServiceError('damaged', { what: databaseName, problem: thrown.problem, remedy: damageRemedy });
  }
  if (isDiskFull(thrown)) {
    log.warn('A request failed because the disk is full', { request, error: thrown });
    return new ServiceError('no_space');
  }
  log.error('A request failed through a defect', { request, error: thrown });
  return new ServiceError('internal', { request });
}

import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Log } from '../../ports/log.js';
import {
  DamagedDatabase,
  damageRemedy,
  databaseName,
  ForeignDatabase,
  isDiskFull,
  LockedDatabase,
  LostConnection,
} from '../../wire/errors/disk.js';
import { isServiceError, ServiceError } from '../../wire/errors/error.js';
import { drain } from '../bodies/drain.js';
import { asksForPage, sendSignInPage } from './sign-in-page.js';

/**
 * Creates the middleware that turns every error into `{"error":"<code>: <text>"}` (docs/api.md §4): a `ServiceError`
 * with its own status, anything else as a defect, logged with the request's id. No stack, path or SQL leaves the
 * process.
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
      // A body that was too slow has used up its time.
      if (error.reason !== 'request_late') await drain(ctx.req);
      // An unread body must not keep the connection open.
      if (!ctx.req.complete) ctx.set('Connection', 'close');
      ctx.status = error.status;
      ctx.set(errorHeaders(error));
      if (error.status === 401 && asksForPage(ctx)) return sendSignInPage(ctx);
      ctx.type = 'application/json';
      ctx.body = errorBody(error);
    }
  };
}

/** The body of every error response. */
export function errorBody(error: ServiceError): string {
  return JSON.stringify({ error: error.message });
}

/**
 * The headers of an error response besides its type: a 401 lists the accepted schemes; a 416 gives the size, which
 * tells a client that resumes a download that it is complete (RFC 9110, 11.6.1 and 15.5.17).
 */
export function errorHeaders(error: ServiceError): Record<string, string[]> {
  if (isServiceError(error, 'range_not_satisfiable')) return { 'Content-Range': [`bytes */${error.fields['size']}`] };
  return error.status === 401 ? { 'WWW-Authenticate': challenges } : {};
}

/** Basic comes first, since browsers use the first scheme that they know. */
const challenges = ['Basic realm="parley", charset="UTF-8"', 'Bearer realm="parley"'];

/**
 * Converts a thrown value to the error to serve: a `ServiceError` unchanged, anything else as a defect, logged in full.
 */
export function toServiceError(thrown: unknown, request: string, log: Log): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof DamagedDatabase) {
    log.error('A request found damage in the database', { request, error: thrown });
    return new ServiceError('damaged', { what: databaseName, problem: thrown.problem, remedy: damageRemedy });
  }
  if (thrown instanceof LostConnection) {
    log.debug('A request failed because the database does not answer', { request, error: thrown });
    return new ServiceError('stopping', { what: `${databaseName} does not answer` });
  }
  if (thrown instanceof LockedDatabase) {
    log.warn('A request failed because another program has locked the database', { request, error: thrown });
    return new ServiceError('stopping', { what: `${databaseName} is locked by another program: end that program` });
  }
  if (thrown instanceof ForeignDatabase) {
    log.error('A request failed because another process has changed the database', { request, error: thrown });
    return new ServiceError('stopping', { what: `${databaseName} was changed by another process, so the node ends` });
  }
  if (isDiskFull(thrown)) {
    log.warn('A request failed because the disk is full', { request, error: thrown });
    return new ServiceError('no_space');
  }
  log.error('A request failed because of a defect', { request, error: thrown });
  return new ServiceError('internal', { request });
}

import type { Server } from 'node:http';
import { ServiceError } from '../../wire/errors/error.js';
import type { PendingAnswer } from './answers.js';
import { refuseSocket } from './raw-refusal.js';

/** Responds to unparsable requests and to request heads that arrive too late, in the error format of all programs. */
export function answerBrokenRequests(server: Server, pendingOn: PendingAnswer, maxHeaderBytes: number): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The client would not read the response, or would take it for that of an earlier request.
    const isUseless = !socket.writable || error.code === 'ECONNRESET' || pendingOn(socket) !== undefined;
    if (isUseless) socket.destroy();
    else refuseSocket(socket, refusalOf(error, maxHeaderBytes));
  });
}

function refusalOf({ code, message }: NodeJS.ErrnoException, max: number): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ServiceError('head_too_large', { max });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServiceError('request_late', { part: 'head', problem: 'it may take 10 s' });
  return new ServiceError('bad_request', { problem: message });
}

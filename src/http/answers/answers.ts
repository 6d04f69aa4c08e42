import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Returns the response pending on a connection: the latest one begun there, until it is completely sent. */
export type PendingAnswer = (socket: Duplex) => ServerResponse | undefined;

/** Tracks the responses of a server. */
export function followAnswers(server: Server): PendingAnswer {
  const last = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', ({ socket }, response) => last.set(socket, response));
  return (socket) => {
    const answer = last.get(socket);
    return answer === undefined || answer.writableFinished ? undefined : answer;
  };
}

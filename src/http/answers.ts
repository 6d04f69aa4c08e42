import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answer that a connection waits for: the last one that was begun on it, while it is not sent whole. */
export type PendingAnswer = (socket: Duplex) => ServerResponse | undefined;

/** Follows the answers of a server. */
export function followAnswers(server: Server): PendingAnswer {
  const last = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', ({ socket }, response) => last.set(socket, response));
  return (socket) => {
    const answer = last.get(socket);
    return answer === undefined || answer.writableFinished ? undefined : answer;
  };
}

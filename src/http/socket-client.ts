import { type IncomingMessage, request } from 'node:http';

export interface SocketRequest {
  /** The Unix socket. */
  readonly socketPath: string;
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  /** Ends the request and the reading of its answer: a signal, or a time in milliseconds from now. */
  readonly until: AbortSignal | number;
}

const maxAnswerBytes = 16_777_216;

/** Sends a request without a body to a Unix socket, on a connection of its own; resolves with the answer's head. */
export function askSocket({ method = 'GET', until, ...target }: SocketRequest): Promise<IncomingMessage> {
  const signal = typeof until === 'number' ? AbortSignal.timeout(until) : until;
  return new Promise((resolve, reject) => {
    request({ ...target, method, signal, agent: false }, resolve)
      .once('error', reject)
      .end();
  });
}

/** The body of an answer as text. @throws Error when it is longer than 16 MiB, or cut off */
export async function bodyOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > maxAnswerBytes) throw new Error('The answer on the socket has no end.');
  }
  return text;
}

const goneCodes = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTSOCK'];

/** Whether an error says that nobody is at a socket, or not any more. */
export function isNobodyThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && goneCodes.includes(String(error.code));
}

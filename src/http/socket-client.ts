import { type IncomingMessage, request } from 'node:http';

export interface SocketRequest {
  /** Path of the Unix socket. */
  readonly socketPath: string;
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  /** Ends the request and the reading of its response: a signal, or a time in milliseconds from now. */
  readonly until: AbortSignal | number;
}

const maxAnswerBytes = 16_777_216;

/** Sends a request without a body to a Unix socket, on its own connection; resolves with the head of the response. */
export function askSocket({ method = 'GET', until, ...target }: SocketRequest): Promise<IncomingMessage> {
  const signal = typeof until === 'number' ? AbortSignal.timeout(until) : until;
  return new Promise((resolve, reject) => {
    request({ ...target, method, signal, agent: false }, resolve)
      .once('error', reject)
      .end();
  });
}

/** Reads the body of a response as text. @throws Error if it is longer than 16 MiB or truncated */
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

/** Whether an error means that no process listens on a socket any more. */
export function isNobodyThere(error: unknown): boolean {
  // By its shape: under jest, errors of Node itself are of another `Error` than ours.
  return typeof error === 'object' && error !== null && 'code' in error && goneCodes.includes(String(error.code));
}

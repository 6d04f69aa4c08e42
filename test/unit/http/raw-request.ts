import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends exactly these bytes and reads until the server closes: for requests that no well-behaved client makes. */
export function rawRequest(port: number, text: string, host = '127.0.0.1'): Promise<RawAnswer> {
  const socket = connect({ host, port }, () => socket.write(text));
  return readRaw(socket);
}

/** Reads an answer until the server closes. */
export function readRaw(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const answer = Buffer.concat(chunks).toString('utf8');
      const [head = '', ...rest] = answer.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') });
    });
  });
}

/** Returns a request without a body, with `Connection: close`, so that the answer ends. */
export function requestText(method: string, target: string, headers: readonly string[]): string {
  return [`${method} ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');
}

/** Returns a request with a body. */
export function bodyText(method: string, target: string, headers: readonly string[], body: string): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return requestText(method, target, [...headers, length]) + body;
}

import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { freePort } from './port-base.js';

/** A call as received by a target. */
export interface TargetCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values as received. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Answers a call, perhaps late or never. */
export type Answer = (call: TargetCall, response: ServerResponse) => void;

/** A server on loopback that webhooks call. */
export interface WebhookTarget {
  readonly url: string;
  readonly port: number;
  /** In the order of arrival, answered or not. */
  readonly calls: readonly TargetCall[];
  /** Sets the answer to calls; by default 204. */
  answers(answer: Answer): void;
  /** Stops listening and cuts connections. */
  goDown(): Promise<void>;
  /** Listens again on the same port. */
  comeBack(): Promise<void>;
}

export const accepts: Answer = (_, response) => void response.writeHead(204).end();

export function status(code: number): Answer {
  return (_, response) => void response.writeHead(code).end();
}

/** Starts a target; the caller must stop it. */
export async function startWebhookTarget(): Promise<WebhookTarget> {
  const calls: TargetCall[] = [];
  let answer = accepts;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request;
      const call = { method, path: url, headers, rawHeaders, body: Buffer.concat(chunks).toString('utf8') };
      calls.push(call);
      answer(call, response);
    });
  });
  const port = await freePort();
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    calls,
    answers: (next) => void (answer = next),
    goDown: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    comeBack: () => listen(server, port),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

import assert from 'node:assert';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { contain } from '../../http/contain.js';
import type { Log } from '../../ports/log.js';
import { directoryProblem, maxSocketPathBytes } from './own-socket.js';
import { makeDirectory } from '../files/private-file.js';

/** A request on a Unix socket. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly response: ServerResponse;
}

export interface SocketServer {
  close(): Promise<void>;
}

interface SocketServerOptions {
  readonly socket: string;
  readonly answer: (call: Call) => Promise<void>;
  readonly log: Log;
}

const maxConnections = 100;

/**
 * Serves HTTP on a socket of mode 0600 in a private directory of mode 0700 (docs/architecture.md §12.4).
 *
 * @throws Error if the path is too long, the directory is not private, or the socket cannot be created
 */
export async function openSocketServer({ socket, answer, log }: SocketServerOptions): Promise<SocketServer> {
  assert(Buffer.byteLength(socket) <= maxSocketPathBytes, `the socket path fits into ${maxSocketPathBytes} bytes`);
  await prepareDirectory(dirname(socket));
  await rm(socket, { force: true });
  const server = createServer((request, response) => {
    // A client may disconnect during a response.
    response.on('error', () => response.destroy());
    contain(
      () => answer(readCall(request, response)),
      (error) => {
        log.error('A control request failed', { path: request.url, error: String(error) });
        if (response.headersSent) response.destroy();
        else sendJson(response, 500, { error: String(error) });
      },
    );
  });
  server.maxConnections = maxConnections;
  await listen(server, socket);
  server.on('error', (error) => {
    log.warn('Cannot accept a control connection', { error: error.message });
  });
  await chmod(socket, 0o600);
  return {
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(socket, { force: true });
    },
  };
}

/** Responds with a value as JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function prepareDirectory(directory: string): Promise<void> {
  await makeDirectory(directory);
  const problem = await directoryProblem(directory);
  if (problem !== undefined) throw new Error(`${problem}. Remove it, or make it yours with mode 0700.`);
}

/** Splits the target by hand: URL parsers throw on texts such as `//`, which any client can send. */
function readCall({ method = '', url: target = '' }: IncomingMessage, response: ServerResponse): Call {
  const [path = ''] = target.split('?', 1);
  return { method, path, parameters: new URLSearchParams(target.slice(path.length)), response };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new Error(`Cannot open the control socket ${path}: ${cause.message}`, { cause }));
    });
    server.listen({ path }, resolve);
  });
}

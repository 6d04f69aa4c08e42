import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestPlain,
  type RequestOptions,
} from 'node:http';
import { type Agent as SecureAgent, request as requestSecure } from 'node:https';
import { UnreachableError } from '../client/errors.js';
import type { HeadersOf } from '../client/headers.js';

/** Returns what connects to an address over TLS and knows its certificate; undefined: what Node has. */
export type AgentOf = (url: string) => SecureAgent | undefined;

/** How nodes are called. */
export interface HttpAccess {
  readonly headersOf?: HeadersOf | undefined;
  readonly agentOf?: AgentOf | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly bytes: Buffer;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** JSON. */
  readonly body?: string;
}

export interface HttpClient {
  /**
   * Makes one request and returns the response, whatever the status.
   *
   * @throws UnreachableError if it is not complete within the timeout
   */
  exchange(url: string, how?: HttpRequest): Promise<HttpAnswer>;
  /** GETs a 200. @throws Error for any other status */
  get(url: string): Promise<Buffer>;
  /** Makes a JSON-RPC call. @throws Error if the response is not a result */
  rpc(url: string, method: string, params: readonly unknown[]): Promise<unknown>;
  close(): void;
}

/** Maximum number of kept-alive connections per service: enough that a slow response delays no other. */
const maxConnections = 128;

/** Begins a request to a node, with its headers and its certificate. */
export function openRequest(
  url: string,
  options: RequestOptions & { readonly headers?: Readonly<Record<string, string | number>> },
  { headersOf, agentOf }: HttpAccess,
  take?: (response: IncomingMessage) => void,
): ClientRequest {
  const { agent, ...others } = { ...options, headers: { ...headersOf?.(url), ...options.headers } };
  if (!url.startsWith('https:')) return requestPlain(url, { agent, ...others }, take);
  return requestSecure(url, { agent: agentOf?.(url), ...others }, take);
}

/** A minimal client with kept-alive connections, since a load driver must use little CPU itself. */
export function createHttpClient({
  timeoutMs = 30_000,
  ...access
}: HttpAccess & { readonly timeoutMs?: number } = {}): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections, scheduling: 'lifo' });

  const exchange: HttpClient['exchange'] = (url, { method = 'GET', body } = {}) =>
    new Promise((resolve, reject) => {
      const headers = {
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      };
      const how = { agent, method, headers, timeout: timeoutMs };
      const request = openRequest(url, how, access, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) });
        });
        response.on('error', (error) => reject(new UnreachableError(url, error, method)));
      });
      request.on('timeout', () => request.destroy(new Error(`${url} did not answer within ${timeoutMs} ms`)));
      request.on('error', (error) => reject(new UnreachableError(url, error, method)));
      request.end(body);
    });

  async function get(url: string): Promise<Buffer> {
    const { status, bytes } = await exchange(url);
    if (status !== 200) throw new Error(`GET ${url} answered ${status}: ${bytes.toString('utf8').slice(0, 300)}`);
    return bytes;
  }

  return {
    exchange,
    get,
    async rpc(url, method, params) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const { bytes } = await exchange(url, { method: 'POST', body });
      const answer: unknown = JSON.parse(bytes.toString('utf8'));
      if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result;
      throw new Error(`${method} answered ${bytes.toString('utf8').slice(0, 300)}`);
    },
    close: () => agent.destroy(),
  };
}

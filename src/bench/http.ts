import type { Agent as SecureAgent } from 'node:https';
import { UnreachableError } from '../client/errors.js';
import type { HeadersOf } from '../client/headers.js';
import { type Agents, createAgents } from '../http/client/agents.js';
import { type HttpRequest, openRequest } from '../http/client/request.js';
import type { HttpResponse } from '../http/client/response.js';

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

export interface NodeRequest {
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
  exchange(url: string, how?: NodeRequest): Promise<HttpAnswer>;
  /** GETs a 200. @throws Error for any other status */
  get(url: string): Promise<Buffer>;
  /** Makes a JSON-RPC call. @throws Error if the response is not a result */
  rpc(url: string, method: string, params: readonly unknown[]): Promise<unknown>;
  close(): void;
}

/** Maximum number of kept-alive connections per service: enough that a slow response delays no other. */
const maxConnections = 128;

/** More than any node answers. */
const maxAnswerBytes = 1_073_741_824;

/** Begins a request to a node, with its headers and its certificate. @throws as `openRequest` */
export function openNodeRequest(
  request: HttpRequest & { readonly url: string; readonly agents: Agents },
  { headersOf, agentOf }: HttpAccess,
): Promise<HttpResponse> {
  const { url, headers, agents } = request;
  const secure = agentOf?.(url);
  return openRequest({
    ...request,
    headers: { ...headersOf?.(url), ...headers },
    agents: secure === undefined ? agents : { ...agents, secure },
  });
}

/** A minimal client with kept-alive connections, since a load driver must use little CPU itself. */
export function createHttpClient({
  timeoutMs = 30_000,
  ...access
}: HttpAccess & { readonly timeoutMs?: number } = {}): HttpClient {
  const agents = createAgents({ maxConnections });
  const limits = { idleMs: timeoutMs };

  const exchange: HttpClient['exchange'] = async (url, { method = 'GET', body } = {}) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const response = await openNodeRequest({ url, method, headers, body, agents, limits }, access);
      return { status: response.status, bytes: await response.collect(maxAnswerBytes) };
    } catch (error) {
      throw new UnreachableError(url, error, method);
    }
  };

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
    close: () => agents.close(),
  };
}
